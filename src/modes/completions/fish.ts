/**
 * Completion for fish, with the help of each word and flag.
 */
import type { CommandInfo } from "../../app.ts";
import { placesOf, quoted } from "./words.ts";

export function fishScript(commands: readonly CommandInfo[]): string {
  const lines = placesOf(commands).flatMap(({ words, options }) => {
    return options.map(({ text, help }) => {
      const isFlag = text.startsWith("--");
      const place = isFlag && words.length > 0 ? "__saber_in" : "__saber_at";
      const what = isFlag ? `-l ${text.slice(2)}` : `-a ${text}`;
      return `complete -c saber -n ${quoted([place, ...words].join(" "))} ${what} -d ${quoted(help)}`;
    });
  });
  return `# Completion of saber for fish.
function __saber_words
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and break
    echo $word
  end
end
function __saber_at
  set -l words (__saber_words)
  test "$words" = "$argv"
end
function __saber_in
  set -l words (__saber_words)
  set -l last (count $argv)
  test "$words[1..$last]" = "$argv"
end
${lines.join("\n")}
`;
}
