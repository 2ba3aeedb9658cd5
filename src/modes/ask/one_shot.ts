/**
 * One question, one answer: the run is shown as it goes on, its turn saved, and the way to go on told.
 */
import type { App, Io } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { signalExit } from "../../base/signal_exit.ts";
import { formatName } from "../../term/registry.ts";
import { oneLine } from "../../term/plain_text.ts";
import { Screen } from "../../term/screen.ts";
import { paintOf } from "../paint_of.ts";
import { begin, type Begun, settleFor } from "../session/begin.ts";
import { type OpenSession, openSession } from "../session/open.ts";
import { goOnHint } from "../view/go_on_hint.ts";
import { DocumentView } from "../view/document_view.ts";
import { TerminalView } from "../view/terminal_view.ts";
import type { View } from "../view/view.ts";
import { finish, writerOf } from "../writer_of.ts";
import { ScriptView } from "./script_view.ts";

/** What a run writes to, and what it wrote. */
interface Output {
  readonly view: View;
  /** Whether the view says itself why a run failed. */
  readonly showsErrors: boolean;
  /** Aborted when nobody reads the answer any more. */
  readonly gone: AbortSignal;
  /** Settles when all of it is written. */
  end(): Promise<void>;
  /** Says something beside the answer. */
  hint(text: string): void;
}

export async function askOnce(app: App, { io, question, thread }: {
  readonly io: Io;
  readonly question: string;
  readonly thread: string | undefined;
}): Promise<number> {
  const form = app.given.flags.output === undefined ? undefined : formatName(app.given.flags.output);
  const begun = await begin(app, thread);
  settleFor(app, { databases: begun.databases });
  const open = await openSession(app, { ...begun, warn: io.warn });
  try {
    const output = await openOutput(app, { io, form, begun, open });
    const code = await answer(question, { io, open, output });
    await output.end();
    const { id } = open.thread;
    if (code === 0 && id !== null && form === undefined) output.hint(goOnHint(id, begun.databases));
    return code;
  } finally {
    await Promise.all([begun.databases.close(), open.shelf.close()]);
  }
}

async function answer(
  question: string,
  { io, open, output }: { io: Io; open: OpenSession; output: Output },
): Promise<number> {
  const { session } = open;
  let code = 0;
  const signal = AbortSignal.any([io.stop, output.gone]);
  for await (const event of session.prompt(question, { signal })) {
    if (event.type === "agent_end") {
      if (event.status === "aborted" && !output.gone.aborted) code = signalExit(io.stop.reason);
    }
    await output.view.show(event);
    if (io.stop.aborted && event.type === "agent_end" && !output.showsErrors) io.warn("Stopped.");
    if (event.type !== "agent_end" || event.status !== "error") continue;
    if (!output.showsErrors) throw new Fault("model_error", event.error);
    code = 1;
  }
  return code;
}

async function openOutput(app: App, { io, form, begun, open }: {
  io: Io;
  form: ReturnType<typeof formatName> | undefined;
  begun: Begun;
  open: OpenSession;
}): Promise<Output> {
  const { shelf, thread } = open;
  const { terminal } = io;
  if (form === undefined && terminal.isOutput && terminal.isStatus) {
    const paint = await paintOf(app, { isTerminal: true });
    const screen = new Screen({ write: terminal.write, size: terminal.size });
    const names = begun.databases.list.map(({ name, displayName }) => `${name} (${displayName})`).join(", ");
    screen.commit([paint("muted", oneLine(`${names} · ${begun.model.id}`)), ""]);
    const hint = (text: string) => screen.commit([paint("muted", oneLine(text))]);
    const view = new TerminalView({ screen, paint, shelf });
    return {
      view,
      showsErrors: true,
      gone: new AbortController().signal,
      end: () => Promise.resolve(),
      hint,
    };
  }
  const writer = writerOf(io);
  const gone = new AbortController();
  writer.broken.then(() => gone.abort());
  const view = form === undefined || form === "markdown"
    ? new DocumentView({ writer, shelf })
    : new ScriptView({ writer, shelf, form, threadId: () => thread.id });
  return { view, showsErrors: false, gone: gone.signal, end: () => finish(writer), hint: io.warn };
}
