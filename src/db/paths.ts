/**
 * File paths as people write them: made absolute, taken apart into stem and extension.
 * It looks at text only; what a file holds is file_kind.ts's.
 */

/** Where relative paths and `~` start; from config.ts. */
export interface Places {
  readonly cwd: string;
  readonly home?: string;
  /** Variables that an engine's own tools would heed, such as PGHOST. */
  readonly environment?: { readonly [name: string]: string | undefined };
}

export function absolutePath(path: string, places: Places): string {
  const expanded = places.home !== undefined && /^~(?=[\\/]|$)/.test(path)
    ? places.home + path.slice(1)
    : path;
  const isAbsolute = Deno.build.os === "windows" ? /^(?:[\\/]|[A-Za-z]:[\\/])/ : /^\//;
  return isAbsolute.test(expanded) ? expanded : `${places.cwd}/${expanded.replace(/^\.\//, "")}`;
}

/** `sales.2024` and `csv` of `/data/sales.2024.csv`: only the last suffix is the extension, which is lower case here. */
export function nameParts(path: string): { readonly stem: string; readonly extension: string } {
  const name = lastPart(path);
  const dot = name.lastIndexOf(".");
  return dot < 0
    ? { stem: name, extension: "" }
    : { stem: name.slice(0, dot), extension: name.slice(dot + 1).toLowerCase() };
}

/** The name of a file without its folders: what a reader of errors may know who did not choose the file. */
export function lastPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
