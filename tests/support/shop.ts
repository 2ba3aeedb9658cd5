/**
 * The shop as a database that tests may read: generated once, then shared by all test files and later runs.
 * What it gives must not be written to; a test that writes copies the file first.
 */
import { join } from "node:path";
import { generateShop } from "../../fixtures/shop/generate.ts";
import type { Shop } from "../../fixtures/shop/table.ts";
import { cachedFolder } from "./cached_folder.ts";

/** A database file, or a folder with one file for each plain table. */
export type ShopKind = "sqlite" | "duckdb" | "csv" | "parquet";

const SOURCES = new URL("../../fixtures/shop/", import.meta.url);

/**
 * The path of the shop: of the file for `sqlite` and `duckdb`, of the folder for `csv` and `parquet`.
 * It lives in the temp folder under a name that holds a hash of the generator's sources, so that a change of these makes a new one.
 */
export async function shop(kind: ShopKind): Promise<string> {
  const name = `shop-${await sourceHash()}-${kind}`;
  const folder = await cachedFolder(
    name,
    (staging) => write(kind, { folder: staging, shop: generateShop() }),
  );
  return kind === "csv" || kind === "parquet" ? folder : join(folder, `shop.${kind}`);
}

/** Writes the shop into an existing folder, under the names `shop` promises. Loads only the engine it needs. */
async function write(kind: ShopKind, { folder, shop }: { folder: string; shop: Shop }): Promise<void> {
  switch (kind) {
    case "sqlite": {
      const { loadSqlite } = await import("../../fixtures/shop/load_sqlite.ts");
      return loadSqlite(join(folder, "shop.sqlite"), shop);
    }
    case "duckdb": {
      const { loadDuckdb } = await import("../../fixtures/shop/load_duckdb.ts");
      return await loadDuckdb(join(folder, "shop.duckdb"), shop);
    }
    case "csv":
    case "parquet": {
      const { exportFiles } = await import("../../fixtures/shop/export_files.ts");
      return await exportFiles(folder, { shop, format: kind });
    }
  }
}

async function sourceHash(): Promise<string> {
  const entries = await Array.fromAsync(Deno.readDir(SOURCES), (entry) => entry.name);
  const names = entries.filter((name) => name.endsWith(".ts")).sort();
  const texts = await Promise.all(names.map((name) => Deno.readTextFile(new URL(name, SOURCES))));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(texts.join("\0")));
  return new Uint8Array(digest).toHex().slice(0, 16);
}
