/**
 * A database of each engine, each under a name of its own, so that a program can have all of them at once.
 */
import { join } from "node:path";
import { ADMIN as MARIADB_ADMIN, READER as MARIADB_READER, sharedMariadb } from "./mariadb_server.ts";
import { ADMIN, READER, sharedPostgres } from "./postgres_server.ts";
import { shop } from "./shop.ts";
import type { Place } from "./through_modes.ts";

interface Login {
  readonly user: string;
  readonly password: string;
}

/** Databases of the shared servers, and the shop's files, of which the two that could be changed are copied into the folder. */
export async function enginePlaces(
  folder: string,
  { format }: { readonly format: "csv" | "parquet" },
): Promise<Place[]> {
  const [postgres, mariadb] = await Promise.all([sharedPostgres(18), sharedMariadb()]);
  const [lite, duck] = [join(folder, "lite.db"), join(folder, "duck.duckdb")];
  await Deno.copyFile(await shop("sqlite"), lite);
  await Deno.copyFile(await shop("duckdb"), duck);
  const file = `${await shop(format)}/customers.${format}`;
  const at = (driver: string, database: string) => ({ driver: `saber-${driver}`, database });
  const server = (
    scheme: string,
    { port, database, user, password }: Login & { port: number; database: string },
  ) => `${scheme}://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
  const onPostgres = { port: postgres.port, database: "postgres" };
  const onMariadb = { port: mariadb.port, database: "shop" };
  return [
    { engine: "sqlite", name: "lite", selector: lite, params: at("sqlite", lite) },
    { engine: "duckdb", name: "duck", selector: duck, params: at("duckdb", duck) },
    { engine: "files", name: "customers", selector: file, params: at("files", file) },
    {
      engine: "postgres",
      name: "postgres",
      selector: `${server("postgresql", { ...onPostgres, ...ADMIN })}?sslmode=disable`,
      // a driver runs what a person writes: there the rights of the role decide
      params: { ...at("postgres", "shop"), ...loginOf(READER), port: postgres.port, ssl_mode: "disable" },
    },
    {
      engine: "mysql",
      name: "shop",
      selector: `${server("mysql", { ...onMariadb, ...MARIADB_ADMIN })}?ssl-mode=disabled`,
      params: {
        ...at("mysql", "shop"),
        ...loginOf(MARIADB_READER),
        port: mariadb.port,
        ssl_mode: "disabled",
      },
    },
  ];
}

function loginOf({ user, password }: Login): object {
  return { host: "127.0.0.1", username: user, password };
}
