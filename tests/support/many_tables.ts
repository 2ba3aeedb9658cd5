/**
 * Databases of 10,000 tables, one of each engine, as `-d` takes them. The tables are made on the server where there is one.
 */
import { duckdbFile, testFolder } from "./duckdb.ts";
import { ADMIN as MARIADB_ADMIN, AdminClient, type Login, sharedMariadb } from "./mariadb_server.ts";
import { createDatabase } from "./postgres_database.ts";
import { ADMIN as POSTGRES_ADMIN, sharedPostgres } from "./postgres_server.ts";
import { makeFile } from "./sqlite_file.ts";

export const TABLES = 10_000;

const COLUMNS = "id INT PRIMARY KEY, name VARCHAR(20)";
/** PostgreSQL can't hold the locks of all in one transaction. */
const BLOCK = 100;

export interface ManyTables extends AsyncDisposable {
  readonly target: string;
}

function statements(): string[] {
  const tables = Array.from({ length: TABLES }, (_, n) => `CREATE TABLE table_${n} (${COLUMNS})`);
  return ["BEGIN", ...tables, "COMMIT"];
}

function url(scheme: string, { port, login, name }: { port: number; login: Login; name: string }): string {
  return `${scheme}://${login.user}:${encodeURIComponent(login.password)}@127.0.0.1:${port}/${name}`;
}

async function sqlite(): Promise<ManyTables> {
  const file = await makeFile(statements().join("; "));
  return { target: file.path, [Symbol.asyncDispose]: () => file[Symbol.asyncDispose]() };
}

async function duckdb(): Promise<ManyTables> {
  const folder = await testFolder();
  await duckdbFile(folder.path, statements());
  const target = `${folder.path}/test.duckdb`;
  return { target, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

async function postgres(): Promise<ManyTables> {
  const server = await sharedPostgres(18);
  const blocks = Array.from(
    { length: TABLES / BLOCK },
    (_, block) =>
      `DO $$ BEGIN FOR n IN ${block * BLOCK}..${(block + 1) * BLOCK - 1} LOOP
      EXECUTE 'CREATE TABLE table_' || n || ' (${COLUMNS})';
    END LOOP; END $$`,
  );
  const { name, drop } = await createDatabase(server, blocks);
  const target = url("postgres", { port: server.port, login: POSTGRES_ADMIN, name });
  return { target, [Symbol.asyncDispose]: drop };
}

async function mariadb(): Promise<ManyTables> {
  const server = await sharedMariadb();
  const name = `test_${crypto.randomUUID().slice(0, 8)}`;
  const admin = new AdminClient(server, "mysql");
  await admin.run(
    `CREATE DATABASE ${name}`,
    `USE ${name}`,
    `BEGIN NOT ATOMIC FOR n IN 0..${TABLES - 1} DO
      EXECUTE IMMEDIATE CONCAT('CREATE TABLE table_', n, ' (${COLUMNS})');
    END FOR; END`,
  );
  return {
    target: url("mariadb", { port: server.port, login: MARIADB_ADMIN, name }),
    async [Symbol.asyncDispose]() {
      await admin.run(`DROP DATABASE ${name}`);
      admin.end();
    },
  };
}

export const MANY_TABLES = {
  SQLite: sqlite,
  DuckDB: duckdb,
  PostgreSQL: postgres,
  MariaDB: mariadb,
} satisfies { readonly [engine: string]: () => Promise<ManyTables> };
