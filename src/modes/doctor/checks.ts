/**
 * What `saber doctor` looks at. Each check finds something out, changes nothing that lasts, and never throws.
 */
import { dirname } from "node:path";
import type { App } from "../../app.ts";
import { abortable } from "../../base/abortable.ts";
import { toFault } from "../../base/fault.ts";
import { fullText } from "../../base/fault_text.ts";
import { ConnectionFile } from "../../settings/connection_file.ts";

export interface Finding {
  readonly ok: boolean;
  readonly about: string;
  readonly state: string;
  /** What to do. */
  readonly advice?: string;
}

type Check = (app: App, signal: AbortSignal) => Promise<readonly Finding[]>;

export const CHECKS: readonly Check[] = [versions, folders, stores, connections, databases, model];

function versions({ version }: App): Promise<Finding[]> {
  const state = `${version}, on Deno ${Deno.version.deno}, ${Deno.build.os} ${Deno.build.arch}`;
  return Promise.resolve([{ ok: true, about: "saber", state }]);
}

async function folders({ config }: App): Promise<Finding[]> {
  const { config: settings, data } = config.folders;
  const found = await Promise.all(
    [["settings", settings], ["data", data]].map(async ([about = "", path = ""]) => {
      const info = await Deno.stat(path).catch(() => undefined);
      if ((!info || info.isDirectory) && !await canWrite(path)) {
        const advice = "Make it writable. Until then nothing can be saved; questions and statements work.";
        return { ok: false, about, state: `${path} cannot be written`, advice };
      }
      if (!info) {
        return { ok: true, about, state: `${path} is not there yet; it is made when something is saved` };
      }
      if (!info.isDirectory) {
        return { ok: false, about, state: `${path} is no folder`, advice: "Put the file aside." };
      }
      const isOpen = Deno.build.os !== "windows" && ((info.mode ?? 0) & 0o077) !== 0;
      if (isOpen) {
        return {
          ok: false,
          about,
          state: `others may look into ${path}`,
          advice: `Run: chmod 700 "${path}"`,
        };
      }
      return { ok: true, about, state: path };
    }),
  );
  return found;
}

/** Tried in the folder, or in the nearest one above it that is there. */
async function canWrite(path: string): Promise<boolean> {
  try {
    await Deno.remove(await Deno.makeTempFile({ dir: path, prefix: ".saber-" }));
    return true;
  } catch (error) {
    const above = dirname(path);
    return error instanceof Deno.errors.NotFound && above !== path && await canWrite(above);
  }
}

async function stores(app: App): Promise<Finding[]> {
  const about = "conversations";
  return await tried(about, async () => {
    const { data } = app.config.folders;
    const isThere = await Deno.stat(`${data}/saber.db`).then(() => true, () => false);
    if (!isThere) return "none are saved yet";
    const [latest] = (await app.openThreads()).list(1);
    return latest
      ? `the latest is of ${new Date(latest.updatedAt).toISOString().slice(0, 10)}`
      : "none are saved";
  });
}

async function connections({ config }: App): Promise<Finding[]> {
  return await tried("saved connections", async () => {
    const { connections, default: name } = await new ConnectionFile(config.folders.config).read();
    const count = Object.keys(connections).length;
    return count === 0
      ? "none; add one with 'saber db add NAME FILE'"
      : `${count}, the default is ${name ?? "none"}`;
  });
}

/** Those of `-d`, else the default. */
async function databases(app: App, signal: AbortSignal): Promise<Finding[]> {
  let open;
  try {
    open = await app.openDatabases();
  } catch (error) {
    return [failure("database", error)];
  }
  try {
    const findings: Finding[] = [];
    for (const { name, displayName } of open.list) {
      findings.push(
        ...await tried(`database ${name}`, async () => {
          const database = await abortable(open.get(name), signal);
          const tables = await database.tables({ signal });
          return `${displayName} answers; ${tables.length} tables and views`;
        }),
      );
    }
    return findings;
  } finally {
    await open.close();
  }
}

/** The model is not asked: that would cost money. */
async function model(app: App): Promise<Finding[]> {
  return await tried("model", async () => `${(await app.openModel()).id} has what it needs`);
}

async function tried(about: string, look: () => Promise<string>): Promise<Finding[]> {
  try {
    return [{ ok: true, about, state: await look() }];
  } catch (error) {
    return [failure(about, error)];
  }
}

function failure(about: string, error: unknown): Finding {
  return { ok: false, about, state: fullText(toFault(error)) };
}
