/**
 * What `-d` means: database URLs, files, saved names. It looks at files' first bytes and opens no database.
 * No error repeats a password: URLs are never quoted, and neither is anything that looks like one.
 */
import { Fault } from "../base/fault.ts";
import { shown } from "../base/shown.ts";
import type { EngineName, Target } from "./driver.ts";
import { isFile, promisedKind } from "./file_kind.ts";
import { fileTarget, mergeTargets } from "./file_targets.ts";
import { absolutePath, type Places } from "./paths.ts";
import { type SavedConnections, savedTarget } from "./saved.ts";
import { urlTarget } from "./target_url.ts";

export interface ResolveOptions extends Places {
  readonly saved: SavedConnections;
  /** Schemas that the environment hides from discovery, by engine. */
  readonly excludeSchemas?: { readonly [engine in EngineName]?: readonly string[] };
}

/** A target, and whether it came from a saved connection, whose name then stays. */
export interface Choice {
  readonly target: Target;
  readonly isSaved: boolean;
}

/**
 * The targets of the selectors, in their order; the first is the primary. Without selectors: the saved default.
 * Selectors that are all data files become one target. Throws Fault: no_database, bad_target.
 */
export async function resolveTargets(
  selectors: readonly string[],
  options: ResolveOptions,
): Promise<readonly [Target, ...Target[]]> {
  const [first, ...rest] = selectors;
  const choices: [Choice, ...Choice[]] = [
    first === undefined ? await resolveDefault(options) : await resolveOne(first, options),
  ];
  for (const selector of rest) choices.push(await resolveOne(selector, options));
  const [primary, ...others] = mergeFiles(choices);
  refuseClashes([primary, ...others]);
  const hide = (target: Target) => withExcluded(target, options);
  return [hide(primary), ...others.map(hide)];
}

async function resolveDefault(options: ResolveOptions): Promise<Choice> {
  const name = await options.saved.defaultName();
  if (name === undefined) {
    throw new Fault(
      "no_database",
      "No database connections configured. Use 'sqlsaber db add <name>' to add one.",
    );
  }
  const saved = await options.saved.find(name);
  if (saved === undefined) throw unknownName(name);
  return { target: savedTarget(saved, options), isSaved: true };
}

/** A URL, else an existing file with a known extension, else a saved name, else any file. Throws Fault `bad_target`. */
export async function resolveOne(selector: string, options: ResolveOptions): Promise<Choice> {
  const target = urlTarget(selector, options);
  if (target) return { target, isSaved: false };
  const path = absolutePath(selector, options);
  const isData = promisedKind(selector) !== undefined;
  if (isData && isFile(path)) return { target: fileTarget({ path, typed: selector }), isSaved: false };
  const saved = await options.saved.find(selector);
  if (saved) return { target: savedTarget(saved, options), isSaved: true };
  if (isData || /[\\/]|^~$/.test(selector) || isFile(path)) {
    return { target: fileTarget({ path, typed: selector }), isSaved: false };
  }
  throw unknownName(selector);
}

function mergeFiles(choices: readonly [Choice, ...Choice[]]): readonly [Target, ...Target[]] {
  const files = choices.flatMap(({ target, isSaved }) =>
    !isSaved && target.engine === "files" ? [target] : []
  );
  const [{ target: first }, ...others] = choices;
  const isMerged = others.length > 0 && files.length === choices.length;
  return isMerged ? [mergeTargets(files)] : [first, ...others.map(({ target }) => target)];
}

function refuseClashes(targets: readonly Target[]): void {
  const names = targets.map((target) => target.name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice === undefined) return;
  throw new Fault(
    "bad_target",
    `Cannot use two databases named ${
      shown(twice)
    } at once. Name each only once, or save one under another name.`,
  );
}

function withExcluded(target: Target, { excludeSchemas }: ResolveOptions): Target {
  const hidden = excludeSchemas?.[target.engine] ?? [];
  return { ...target, excludeSchemas: [...new Set([...target.excludeSchemas, ...hidden])] };
}

function unknownName(name: string): Fault {
  return new Fault(
    "bad_target",
    `Cannot find the database ${shown(name)}: it is no saved connection and no file. ` +
      "`saber db list` shows the saved connections.",
  );
}
