/**
 * A real terminal for tests: a tmux server of its own with one window, in which saber runs as a person would start it. The
 * screen is read as text. tmux is the system's own package, which install_tmux.sh installs where it is missing.
 */
import { join } from "node:path";
import { runInstallScript } from "./install_script.ts";
import { PATIENCE_MS } from "./patience.ts";
import { NO_KEYRING, saberCommand } from "./program.ts";
import { repository } from "./sources.ts";

const TMUX = "tmux";
const POLL_MS = 50;

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  /** Of the shell; HOME is a folder of the terminal's own when left out. */
  readonly env?: { readonly [name: string]: string };
}

export class Terminal implements AsyncDisposable {
  /** A folder of the terminal alone. */
  readonly folder: string;
  readonly #socket: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.#socket = join(folder, "tmux");
  }

  /** A window with a shell whose prompt is `$ `. */
  static async open({ columns = 80, rows = 24, env = {} }: TerminalOptions = {}): Promise<Terminal> {
    await runInstallScript("install_tmux.sh");
    const terminal = new Terminal(await Deno.makeTempDir({ prefix: "saber-terminal-" }));
    const home = join(terminal.folder, "home");
    await Deno.mkdir(home);
    const variables: Record<string, string> = { ...await surroundings(), HOME: home, PS1: "$ ", ...env };
    const set = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    const size = ["-x", String(columns), "-y", String(rows)];
    await terminal.#tmux(
      ["-f", "/dev/null", "new-session", "-d", ...size, "-c", repository.pathname, "env", "-i", ...set, "sh"],
    );
    await terminal.until(/^\$ *$/m);
    return terminal;
  }

  /** Starts saber with this command line, as the shell reads it. */
  async saber(args: string): Promise<void> {
    await this.type(`clear; ${saberCommand().join(" ")} ${args}`);
    await this.key("Enter");
  }

  async type(text: string): Promise<void> {
    await this.#tmux(["send-keys", "-l", "--", text]);
  }

  /** A key by tmux's name for it: `Enter`, `C-c`, `Up`. */
  async key(name: string): Promise<void> {
    await this.#tmux(["send-keys", name]);
  }

  /** As a terminal does that marks what is pasted. */
  async paste(text: string): Promise<void> {
    await this.#tmux(["set-buffer", "--", text]);
    await this.#tmux(["paste-buffer", "-p"]);
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux(["resize-window", "-x", String(columns), "-y", String(rows)]);
  }

  /** What the window shows, without spaces at the ends of lines; with escapes for colours when asked. */
  async screen({ colors = false } = {}): Promise<string> {
    const text = await this.#tmux(["capture-pane", "-p", ...colors ? ["-e"] : []]);
    return text.split("\n").map((line) => line.trimEnd()).join("\n").trimEnd();
  }

  /** From now on `written` knows every byte that programs write to the terminal. */
  async record(): Promise<void> {
    await this.#tmux(["pipe-pane", `cat >> '${this.#recording}'`]);
  }

  async written(): Promise<string> {
    return await Deno.readTextFile(this.#recording);
  }

  get #recording(): string {
    return join(this.folder, "written");
  }

  /** The screen when it matches. Throws when it does not in time. */
  async until(pattern: RegExp): Promise<string> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const screen = await this.screen();
      if (pattern.test(screen)) return screen;
      if (Date.now() > end) throw new Error(`The screen never matched ${pattern}:\n${screen}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tmux(["kill-server"]).catch(() => {});
    // the program that lost its terminal may still be saving something
    const end = Date.now() + PATIENCE_MS;
    while (!await isRemoved(this.folder)) {
      if (Date.now() > end) throw new Error(`${this.folder} can't be removed.`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async #tmux(args: readonly string[]): Promise<string> {
    const command = new Deno.Command(TMUX, { args: ["-u", "-S", this.#socket, ...args], stdin: "null" });
    const { success, stdout, stderr } = await command.output();
    if (!success) throw new Error(`tmux ${args[0]} failed: ${new TextDecoder().decode(stderr)}`);
    return new TextDecoder().decode(stdout);
  }
}

async function isRemoved(folder: string): Promise<boolean> {
  try {
    await Deno.remove(folder, { recursive: true });
    return true;
  } catch {
    return false;
  }
}

async function surroundings(): Promise<Record<string, string>> {
  const info = await new Deno.Command("deno", { args: ["info", "--json"] }).output();
  const { denoDir } = JSON.parse(new TextDecoder().decode(info.stdout));
  const PATH = Deno.env.get("PATH") ?? "";
  return { PATH, DENO_DIR: denoDir, LANG: "C.UTF-8", TERM: "tmux-256color", ...NO_KEYRING };
}
