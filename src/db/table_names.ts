/**
 * The tables and the names that data files get. It opens nothing.
 */
import type { DataFile } from "./driver.ts";
import { nameParts } from "./paths.ts";

/**
 * Gives each file a table named for its stem. DuckDB compares names without case, so `Data` clashes with `data`:
 * the first keeps its name, later ones become `data_2`, `data_3` …, never a name that another file has by itself.
 */
export function nameTables(files: readonly Omit<DataFile, "table">[]): DataFile[] {
  const stems = files.map((file) => nameParts(file.path).stem || "csv_table");
  const reserved = new Set(stems.map((stem) => stem.toLowerCase()));
  const used = new Set<string>();
  return files.map((file, index) => {
    const stem = stems[index] ?? "";
    let table = stem;
    for (
      let n = 2;
      used.has(table.toLowerCase()) || (table !== stem && reserved.has(table.toLowerCase()));
      n++
    ) {
      table = `${stem}_${n}`;
    }
    used.add(table.toLowerCase());
    return { ...file, table };
  });
}

/** The name of several files opened as one database: up to three stems, or the first and how many more. */
export function mergedName(paths: readonly string[]): string {
  const stems = paths.map(fileName);
  return stems.length <= 3 ? stems.join(" + ") : `${stems[0]} + ${stems.length - 1} more`;
}

/** The name of a database that is one file. */
export function fileName(path: string): string {
  return nameParts(path).stem || "database";
}
