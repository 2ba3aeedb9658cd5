/**
 * Where a compiled program starts: it makes the files that it carries findable for the libraries that need them, then runs
 * main.ts. The build fills in the index, and makes the libraries ask here.
 */
import { Carried, type Index } from "./carried.ts";

/** The build puts the index here, as JSON. */
const INDEX: Index = JSON.parse("%INDEX%");

Object.defineProperty(globalThis, Symbol.for("saber.carried"), { value: new Carried(INDEX, cacheFolder()) });
await import("../../main.ts");

function cacheFolder(): string {
  const name = `saber/${Object.values(INDEX.files).map(({ sha256 }) => sha256.slice(0, 8)).join("-")}`;
  const { env } = Deno;
  const given = env.get("SQLSABER_CACHE_DIR");
  if (given) return `${given}/${name}`;
  const home = env.get("HOME") ?? "";
  switch (Deno.build.os) {
    case "windows":
      return `${env.get("LOCALAPPDATA") ?? `${env.get("USERPROFILE")}\\AppData\\Local`}/${name}`;
    case "darwin":
      return `${home}/Library/Caches/${name}`;
    default:
      return `${env.get("XDG_CACHE_HOME") || `${home}/.cache`}/${name}`;
  }
}
