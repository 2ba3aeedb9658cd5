/**
 * A file and a port that nothing may touch: a pipe that notices the first process to open it for reading, and a listener
 * that notices every connection.
 */
import { join } from "node:path";

/** Opening a pipe for writing lasts until somebody opens it for reading. */
const WATCH = 'mkfifo -m 644 "$1" && echo laid && : > "$1" && echo read';

export class Tripwire implements AsyncDisposable {
  /** Of the pipe; every user of this machine may read it. */
  readonly path: string;
  /** Begins the addresses of the listener. */
  readonly url: string;
  readonly #watcher: Deno.ChildProcess;
  readonly #listener: Deno.TcpListener;
  readonly #touched = new Set<string>();
  readonly #watching: Promise<unknown>;

  /** Makes the pipe `secret` in the folder. */
  static async lay(folder: string): Promise<Tripwire> {
    const path = join(folder, "secret");
    const watcher = new Deno.Command("sh", { args: ["-c", WATCH, "sh", path], stdout: "piped" }).spawn();
    const said = watcher.stdout.getReader();
    const { value } = await said.read();
    said.releaseLock();
    if (value === undefined) throw new Error(`a pipe could not be made at ${path}`);
    return new Tripwire(path, watcher);
  }

  private constructor(path: string, watcher: Deno.ChildProcess) {
    this.path = path;
    this.#watcher = watcher;
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    this.url = `http://127.0.0.1:${this.#listener.addr.port}`;
    this.#watching = Promise.all([this.#watchPipe(), this.#watchPort()]);
  }

  /** What has been touched until now: "file", "port". */
  touched(): readonly string[] {
    return [...this.#touched];
  }

  async #watchPipe(): Promise<void> {
    for await (const _ of this.#watcher.stdout) this.#touched.add("file");
  }

  async #watchPort(): Promise<void> {
    for await (const connection of this.#listener) {
      this.#touched.add("port");
      connection.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    if (!this.#touched.has("file")) this.#watcher.kill("SIGKILL");
    await this.#watching;
    await this.#watcher.status;
  }
}
