/**
 * argv -> Config -> App -> mode -> exit code. The only file that wires parts together.
 * Nothing that a run may not need is imported before it is needed: start-up time is a feature.
 */
import type { DatabaseSync } from "node:sqlite";
import type { App, Io, Model, ProviderInfo, ResumedThread } from "./src/app.ts";
import type { Given } from "./src/args.ts";
import { Fault, toFault } from "./src/base/fault.ts";
import { openLog } from "./src/base/open_log.ts";
import { shown } from "./src/base/shown.ts";
import { keepOnly } from "./src/base/permissions.ts";
import { openedOnce } from "./src/base/opened_once.ts";
import type { Config } from "./src/config.ts";
import type { ResolveOptions } from "./src/db/resolve.ts";
import type { EngineName } from "./src/db/driver.ts";
import type { ThreadStore } from "./src/store/threads.ts";
import { lines } from "./src/term/plain_text.ts";

const VERSION = "0.1.0";
const TITLE = ": a SQL agent and its databases behind a pipe.";
/** The hidden command by which src/db/sqlite/spawn.ts starts this program once more. */
const SQLITE_PROCESS = "sqlite-process";
/** What of the console would print to stdout. */
const PRINTING = [
  ...["log", "info", "debug", "dir", "dirxml", "table", "group", "groupCollapsed"],
  ...["count", "timeLog", "timeEnd", "clear"],
];

async function main(args: readonly string[]): Promise<number> {
  const { error } = globalThis.console; // stdout is the protocol's, whatever a library prints
  Object.assign(globalThis.console, Object.fromEntries(PRINTING.map((name) => [name, error])));
  try {
    return await run(args);
  } catch (error) {
    const fault = toFault(error);
    const { fullText } = await import("./src/base/fault_text.ts");
    const hint = fault.code === "no_database" ? " Or name a file or an address with -d." : "";
    warn(`saber: ${fullText(fault)}${hint}`);
    return fault.code === "usage" ? 2 : 1;
  }
}

async function run(typed: readonly string[]): Promise<number> {
  if (typed[0] === SQLITE_PROCESS) return await serveSqlite(typed.slice(1));
  const { helpOf, modeFirst, overview, parseCommand } = await import("./src/args.ts");
  const args = modeFirst(typed);
  const [word = "", second = ""] = args;
  const { ASK, MODES } = await import("./src/modes/registry.ts");
  const isQuestion = !/^[\w-]+$/.test(word) || word.startsWith("-");
  const found = Object.hasOwn(MODES, word) ? MODES[word] : isQuestion ? ASK : undefined;
  const linesOf = (commands: typeof MODES, before: string) =>
    Object.entries(commands).map(([line, { summary }]) => ({ line: before + line, summary }));
  if (word === "--help" || word === "-h") {
    return print(overview(TITLE, linesOf({ '"QUESTION"': ASK, ...MODES }, "")));
  }
  if (word === "--version") return print(`saber ${VERSION}\n`);
  if (found === undefined) throw unknownCommand(word);
  const { commands = {} } = found;
  const isMode = "load" in found;
  if (!isMode && /^(?:--help|-h|)$/.test(second)) {
    return print(overview(` ${word}: ${found.summary}`, linesOf(commands, `${word} `)));
  }
  const command = Object.hasOwn(commands, second) ? commands[second] : undefined;
  const entry = command ?? (isMode ? found : undefined);
  if (entry === undefined) throw unknownCommand(`${word} ${second}`);
  const mode = await entry.load();
  const own = args.slice(found === ASK ? 0 : command ? 2 : 1);
  const given = mode.readArguments?.(own) ?? parseCommand(own, mode.usage);
  if (given.flags.help) return print(helpOf(mode.usage));
  if (given.flags.version) return print(`saber ${VERSION}\n`);
  if (given.flags.schema && entry.schema) return print(await entry.schema());
  const { loadConfig } = await import("./src/config.ts");
  const { leaving, signalExit } = await import("./src/base/signal_exit.ts");
  const config = loadConfig(given.flags);
  const app = makeApp(config, given);
  keepOnly(entry.needs);
  const io = makeIo(config);
  try {
    return await Promise.race([mode.run(app, io), leaving(io)]);
  } catch (error) {
    const fault = toFault(error);
    if (io.stop.aborted) {
      const isClean = error === io.stop.reason || fault.code === "cancelled";
      warn(isClean ? "Stopped." : `saber: ${fault.message}`);
      return signalExit(io.stop.reason);
    }
    if (fault.code === "internal") app.log(`saber ${word} failed`, { level: "error", error });
    throw fault;
  }
}

function unknownCommand(words: string): Fault {
  return new Fault("usage", `Unknown command ${shown(words)}. Run 'saber --help'; put a question in quotes.`);
}

/** A SQLite process is started often and must answer fast: it loads nothing else. */
async function serveSqlite(args: readonly string[]): Promise<number> {
  const { serveSqlite } = await import("./src/db/sqlite_child/serve.ts");
  serveSqlite(args, { input: Deno.stdin, output: Deno.stdout });
  return 0;
}

function makeApp(config: Config, given: Given): App {
  const saved = async () => {
    const { readModelSettings } = await import("./src/settings/model.ts");
    return await readModelSettings(config.folders.config);
  };
  const saberDb = openedOnce(async () => {
    const { openSaberDb } = await import("./src/store/saber_db.ts");
    return await openSaberDb(config.folders.data);
  });
  const threads = openedOnce(async () => {
    const { ThreadStore } = await import("./src/store/threads.ts");
    return new ThreadStore(await saberDb());
  });
  return {
    version: VERSION,
    config,
    given,
    ...openLog(config.log, warn),
    startCommand: startCommand(),
    openDatabases: async (selectors = config.databases) => await openDatabases(config, selectors),
    resolve: async (selectors) => {
      const { resolveTargets } = await import("./src/db/resolve.ts");
      return await resolveTargets(selectors, resolveOptions(config));
    },
    commands: async () => await (await import("./src/command_list.ts")).listCommands(),
    portableSelectors: async () => {
      const { portableSelectors } = await import("./src/db/portable_selectors.ts");
      return await portableSelectors(config.databases, resolveOptions(config));
    },
    workbench: async (engine) => await loadWorkbench(engine),
    engineNeeds: async (engine) => (await import("./src/db/registry.ts")).ENGINES[engine]?.needs ?? [],
    openWork: async (engine, address, options) => {
      const [workbench, { Work }] = await Promise.all([loadWorkbench(engine), import("./src/db/work.ts")]);
      return new Work(workbench, await workbench.open(address, options), options);
    },
    openModel: async (thread) => {
      const id = config.model ?? thread ?? (await saved()).model;
      if (id === undefined) throw await noModel(config);
      return await openModel(config, { id });
    },
    providers: async () => await listProviders(config),
    listModels: async (provider, signal) => {
      const { listRemoteModels } = await import("./src/llm/remote_models.ts");
      const { name, adapter, baseUrl, keyVariable = "" } = provider;
      if (baseUrl === undefined) {
        throw new Fault("no_model", `Cannot list the models of ${name}: it has no address.`);
      }
      const apiKey = config.environment[keyVariable]?.trim() || await keptKey(config, name);
      return await listRemoteModels({ adapter, baseUrl, apiKey, signal, timeoutMs: 10_000 });
    },
    namedModel: async (id, { apiKey } = {}) => await openModel(config, { id, once: true, apiKey }),
    chooseModel: async (id) => await openModel(config, { id }),
    thinkingLevel: async () => {
      const { enabled, level } = (await saved()).thinking;
      return config.thinking ?? enabled ? level : "off";
    },
    openShelf: async () => await openShelf(config),
    openThreads: threads,
    openKnowledge: async () => await openKnowledge(config, saberDb),
    findThread: async (id) => await findThread(id, { threads, folder: config.folders.config }),
    importThreads: async (id) => {
      const { importThreads } = await import("./src/store/import_threads.ts");
      return await importThreads({ path: `${config.folders.config}/threads.db`, store: await threads(), id });
    },
    makeSampleShop: async () => {
      const { makeSampleShop } = await import("./src/store/sample_shop.ts");
      return await makeSampleShop(config.folders.data);
    },
    systemPrompt: async () => {
      if (config.systemPrompt === undefined) return undefined;
      const { readSystemPrompt } = await import("./src/settings/system_prompt.ts");
      return await readSystemPrompt(config.systemPrompt);
    },
  };
}

/** Kept with the threads, or gone with the process. */
async function openShelf(config: Config) {
  const { makeTempFolder } = await import("./src/store/temp_folder.ts");
  const { Shelf } = await import("./src/store/shelf.ts");
  const { keptFolder } = await import("./src/store/kept_folder.ts");
  return new Shelf({
    open: config.keepThread ? () => keptFolder(config.folders.data) : makeTempFolder,
    writeParquet: async (job) => {
      const { loadParquetWriter } = await import("./src/db/registry.ts");
      const { writeParquet } = await loadParquetWriter();
      await writeParquet(job);
    },
  });
}

async function openKnowledge(config: Config, open: () => Promise<DatabaseSync>) {
  const { hasSaberDb } = await import("./src/store/saber_db.ts");
  const { KnowledgeBase } = await import("./src/store/knowledge_base.ts");
  const { data } = config.folders;
  const exists = async () => await hasSaberDb(data);
  return new KnowledgeBase({ open, exists, pythonPath: `${data}/knowledge.db` });
}

/** A thread of ours, else one of the Python program. */
async function findThread(
  id: string,
  { threads, folder }: { threads: () => Promise<ThreadStore>; folder: string },
): Promise<ResumedThread | undefined> {
  const store = await threads();
  try {
    const ours = store.find(id);
    if (ours) {
      const { turns, selectors, model } = ours;
      return { place: { id, turns }, selectors, model, messages: store.messages(id) };
    }
    const { readPythonThread } = await import("./src/store/python_threads.ts");
    const theirs = await readPythonThread(`${folder}/threads.db`, id);
    return theirs &&
      { place: null, selectors: theirs.selectors, model: undefined, messages: theirs.messages };
  } catch (cause) {
    const state = "what is stored of it is damaged. Nothing was changed; begin a new conversation";
    throw new Fault("unavailable", `Cannot read thread ${JSON.stringify(id)}: ${state}.`, { cause });
  }
}

/** A key of a flag comes first, then one of the environment, then one that is kept. */
async function openModel(
  config: Config,
  { id, ...more }: { readonly id: string; readonly once?: true; readonly apiKey?: string | undefined },
): Promise<Model> {
  const { openModel, missingKey } = await import("./src/llm/registry.ts");
  const { readUserProviders } = await import("./src/settings/providers.ts");
  const { environment } = config;
  const options = { ...more, providers: await readUserProviders(config.folders.config) };
  if (more.apiKey !== undefined) return openModel(id, environment, options);
  if (config.keyFile !== undefined) {
    const { readKeyFile } = await import("./src/settings/key_file.ts");
    return openModel(id, environment, { ...options, apiKey: await readKeyFile(config.keyFile) });
  }
  const keyless = missingKey(id, environment, options);
  const apiKey = keyless === undefined ? undefined : await keptKey(config, keyless);
  return openModel(id, environment, { ...options, apiKey });
}

async function keptKey(config: Config, provider: string): Promise<string | undefined> {
  const { keptKeys } = await import("./src/settings/keys.ts");
  const keys = keptKeys(config);
  return (await keys.find(provider))?.key;
}

async function listProviders(config: Config): Promise<readonly ProviderInfo[]> {
  const { listProviders } = await import("./src/llm/catalog.ts");
  const { readUserProviders } = await import("./src/settings/providers.ts");
  return listProviders(config.environment, await readUserProviders(config.folders.config));
}

/** Names the shortest ways, and a model that already runs on this machine. */
async function noModel(config: Config): Promise<Fault> {
  const { findLocalModel } = await import("./src/llm/local_models.ts");
  const found = await findLocalModel(await listProviders(config));
  const here = found === undefined
    ? "--model provider:id, for example --model openai:gpt-5 or --model ollama:qwen3"
    : `--model ${found}, which runs on this machine`;
  return new Fault(
    "no_model",
    `No model configured. Use ${here}, or set SQLSABER_MODEL, or save one with 'saber models set ${
      found ?? "provider:id"
    }'.`,
  );
}

async function openDatabases(config: Config, selectors: readonly string[]) {
  const [{ resolveTargets }, { Databases }, { ENGINES }] = await Promise.all([
    import("./src/db/resolve.ts"),
    import("./src/db/databases.ts"),
    import("./src/db/registry.ts"),
  ]);
  const targets = await resolveTargets(selectors, resolveOptions(config));
  return new Databases(targets, { engines: ENGINES, access: config.access, timeoutMs: config.timeoutMs });
}

/** How `-d` is understood here. */
function resolveOptions(config: Config): ResolveOptions {
  const saved = openedOnce(async () => {
    const { savedConnections } = await import("./src/settings/connections.ts");
    const { keptPasswords } = await import("./src/settings/passwords.ts");
    const passwords = keptPasswords(config);
    const path = `${config.folders.config}/database_config.json`;
    return savedConnections(path, { password: async (account) => await passwords.find(account) });
  });
  return {
    home: config.folders.home,
    cwd: Deno.cwd(),
    environment: config.environment,
    saved: {
      find: async (name) => await (await saved()).find(name),
      defaultName: async () => await (await saved()).defaultName(),
    },
    excludeSchemas: config.excludeSchemas,
  };
}

/** How this program is started from any folder: itself, or the deno that runs it. */
function startCommand(): readonly [string, ...string[]] {
  const program = Deno.execPath();
  return Deno.build.standalone ? [program] : [program, "run", "-q", "-P", import.meta.filename ?? "main.ts"];
}

async function loadWorkbench(engine: EngineName) {
  const { ENGINES } = await import("./src/db/registry.ts");
  const loaded = await ENGINES[engine]?.workbench?.();
  if (loaded) return loaded.workbench;
  throw new Fault("bad_target", `Cannot open the database: ${engine} is not supported by this build.`);
}

function makeIo({ environment }: Config): Io {
  const stop = new AbortController();
  const leave = new AbortController();
  const signals: Deno.Signal[] = Deno.build.os === "windows"
    ? ["SIGINT", "SIGBREAK"]
    : ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) {
    Deno.addSignalListener(signal, () => {
      if (signal === "SIGINT" && stop.signal.aborted) leave.abort();
      stop.abort(signal);
    });
  }
  return {
    input: Deno.stdin.readable,
    output: Deno.stdout,
    warn,
    stop: stop.signal,
    leave: leave.signal,
    terminal: {
      get isInput() {
        return Deno.stdin.isTerminal();
      },
      get isOutput() {
        return Deno.stdout.isTerminal();
      },
      get isStatus() {
        return Deno.stderr.isTerminal() && environment.TERM !== "dumb";
      },
      writeStatus,
      write: (text) => writeSync(Deno.stdout, text),
      setRaw: (on) => Deno.stdin.setRaw(on),
      size: () => Deno.consoleSize(),
      onResize,
    },
  };
}

/** A compiled program that is named for a driver of `saber plugin` is that driver: its host gives no arguments. */
function impliedArguments(): readonly string[] | undefined {
  const [, driver] = /[\\/](saber-[a-z]+)-plugin(?:\.exe)?$/.exec(Deno.execPath()) ?? [];
  const isImplied = driver !== undefined && Deno.build.standalone && Deno.args.length === 0;
  return isImplied ? ["plugin", "--driver", driver] : undefined;
}

function onResize(listener: () => void): () => void {
  if (Deno.build.os === "windows") return () => {}; // it has no such signal
  Deno.addSignalListener("SIGWINCH", listener);
  return () => Deno.removeSignalListener("SIGWINCH", listener);
}

async function print(text: string): Promise<number> {
  try {
    for (let rest = new TextEncoder().encode(text); rest.length > 0;) {
      rest = rest.subarray(await Deno.stdout.write(rest));
    }
    return 0;
  } catch (cause) {
    throw new Fault("unavailable", "Cannot print: nobody reads stdout, or its disk is full.", { cause });
  }
}

function warn(text: string): void {
  writeStatus(`${lines(text)}\n`);
}

function writeStatus(text: string): void {
  writeSync(Deno.stderr, text);
}

function writeSync(stream: typeof Deno.stdout | typeof Deno.stderr, text: string): void {
  try {
    for (let rest = new TextEncoder().encode(text); rest.length > 0;) {
      rest = rest.subarray(stream.writeSync(rest));
    }
  } catch {
    // nobody is there to read it
  }
}

// last, when every constant above has its value
Deno.exit(await main(impliedArguments() ?? Deno.args));
