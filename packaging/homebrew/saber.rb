class Saber < Formula
  desc "SQL agent and its databases behind a pipe"
  homepage "https://github.com/{{repository}}"
  version "{{version}}"
  license "MIT"

  on_macos do
    on_arm do
      url "{{url macos-arm64}}"
      sha256 "{{sha256 macos-arm64}}"
    end
    on_intel do
      url "{{url macos-x64}}"
      sha256 "{{sha256 macos-x64}}"
    end
  end

  on_linux do
    on_arm do
      url "{{url linux-arm64}}"
      sha256 "{{sha256 linux-arm64}}"
    end
    on_intel do
      url "{{url linux-x64}}"
      sha256 "{{sha256 linux-x64}}"
    end
  end

  def install
    bin.install "saber"
    generate_completions_from_executable(bin/"saber", "completions")
  end

  test do
    (testpath/"numbers.csv").write "n\n9007199254740993\n"
    assert_match "saber #{version}", shell_output("#{bin}/saber --version")
    assert_match "9007199254740993", shell_output("#{bin}/saber sql -d numbers.csv 'SELECT n FROM numbers'")
  end
end
