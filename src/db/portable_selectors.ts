/**
 * `-d` values for a configuration file: the same databases, whichever folder the program is started in.
 */
import { Fault } from "../base/fault.ts";
import { csvOfUrl, specsOfUrl } from "./file_url.ts";
import { absolutePath, type Places } from "./paths.ts";
import { resolveOne, type ResolveOptions, resolveTargets } from "./resolve.ts";
import { urlTarget } from "./target_url.ts";

/** None stays none: the saved default. Throws Fault: no_database, bad_target; usage for a URL with a password in it. */
export async function portableSelectors(
  selectors: readonly string[],
  options: ResolveOptions,
): Promise<readonly string[]> {
  await resolveTargets(selectors, options); // refuses what could not be opened together
  return await Promise.all(selectors.map((selector) => portable(selector, options)));
}

async function portable(selector: string, options: ResolveOptions): Promise<string> {
  const { target, isSaved } = await resolveOne(selector, options);
  if (isSaved) return selector;
  if ("hosts" in target) return withoutPassword(selector, options);
  if (urlTarget(selector, options) === undefined) return absolutePath(selector, options);
  if ("path" in target) {
    return target.path === ":memory:" ? selector : `${target.engine}:${urlPath(target.path)}`;
  }
  const [scheme = "", rest = ""] = selector.split(/:(.*)/s);
  if (scheme.toLowerCase() === "csv") return csvUrl(rest, options);
  const specs = specsOfUrl(rest).map((spec) => `spec=${encodeURIComponent(csvUrl(spec, options))}`);
  return `${selector.replace(/\?.*$/s, "")}?${specs.join("&")}`;
}

/** `rest`: what follows the scheme's colon. */
function csvUrl(rest: string, places: Places): string {
  const { absolute } = csvOfUrl(rest, places);
  return `csv:${urlPath(absolute)}${/\?.*$/s.exec(rest)?.[0] ?? ""}`;
}

function urlPath(path: string): string {
  return path.replace(/[%?]/g, encodeURIComponent);
}

/** Only what the URL itself says counts, not what the environment or a password file adds to it. */
function withoutPassword(selector: string, { cwd }: Places): string {
  const target = urlTarget(selector, { cwd });
  if (!target || !("password" in target)) return selector;
  throw new Fault(
    "usage",
    "Cannot put a URL with a password into a client's configuration, where others may read it. " +
      "Save the connection and use its name, or leave the password to ~/.pgpass (PostgreSQL).",
  );
}
