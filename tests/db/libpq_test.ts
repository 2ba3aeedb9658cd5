/** The environment variables and files of PostgreSQL's own tools, where a URL or a saved connection says nothing. */
import assert from "node:assert/strict";
import type { Server, Target } from "../../src/db/driver.ts";
import { resolveTargets } from "../../src/db/resolve.ts";
import type { SavedConnection } from "../../src/db/saved.ts";
import { openPostgres, runAll } from "../support/postgres_database.ts";
import { ADMIN, READER, sharedPostgres } from "../support/postgres_server.ts";

const server = await sharedPostgres(18);

const SAVED: SavedConnection = { name: "kept", type: "postgresql", tls: {}, csv: [], excludeSchemas: [] };

interface Around {
  readonly environment?: { readonly [name: string]: string };
  /** Files of the home folder, by name; those of .pgpass and keys for their owner alone. */
  readonly files?: { readonly [name: string]: string };
  readonly saved?: Partial<SavedConnection>;
}

async function resolve(
  selector: string,
  { environment = {}, files = {}, saved = {} }: Around,
): Promise<Server> {
  const home = await Deno.makeTempDir();
  await Deno.mkdir(`${home}/.postgresql`);
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${home}/${name}`, text, { mode: 0o600 });
  }
  const replaced = Object.entries(environment).map(([name, value]) => [name, value.replace("HOME", home)]);
  const [target] = await resolveTargets([selector], {
    cwd: home,
    home,
    environment: Object.fromEntries(replaced),
    saved: {
      find: (name) => Promise.resolve(name === "kept" ? { ...SAVED, ...saved } : undefined),
      defaultName: () => Promise.resolve(undefined),
    },
  });
  await Deno.remove(home, { recursive: true });
  return asServer(target, home);
}

function asServer(target: Target, home: string): Server {
  assert.ok(target.engine === "postgres");
  const tls = Object.entries(target.tls).map(([name, value]) => [name, value.replace(home, "HOME")]);
  return { ...target, tls: { mode: target.tls.mode, ...Object.fromEntries(tls) } };
}

const ENVIRONMENT = {
  PGHOST: "db.example,/run/sockets",
  PGPORT: "6000,6001",
  PGUSER: "ann",
  PGPASSWORD: "from the environment",
  PGDATABASE: "sales",
  PGSSLMODE: "require",
  USER: "os_user",
};

Deno.test("an empty URL means what the environment says", async () => {
  const found = await resolve("postgresql://", { environment: ENVIRONMENT });
  assert.deepEqual(found.hosts, [{ host: "db.example", port: 6000 }, { host: "/run/sockets", port: 6001 }]);
  assert.deepEqual(
    [found.user, found.password, found.database, found.name, found.tls.mode],
    ["ann", "from the environment", "sales", "sales", "require"],
  );
});

Deno.test("what the URL says goes before the environment", async () => {
  const url = "postgresql://bob:secret@host:7000/db?sslmode=disable";
  const found = await resolve(url, { environment: ENVIRONMENT });
  assert.deepEqual(found.hosts, [{ host: "host", port: 7000 }]);
  assert.deepEqual([found.user, found.password, found.database, found.tls.mode], [
    "bob",
    "secret",
    "db",
    "disable",
  ]);
  const portless = await resolve("postgresql://host/db", {
    environment: { PGPORT: "6000", PGHOST: "other" },
  });
  assert.deepEqual(portless.hosts, [{ host: "host", port: 6000 }]);
});

Deno.test("without a user, it is the one of the system; other engines do not look at these variables", async () => {
  assert.equal((await resolve("postgresql://h/db", { environment: { USER: "os_user" } })).user, "os_user");
  assert.deepEqual((await resolve("postgresql://h/db", {})).user, undefined);
  const [target] = await resolveTargets(["mysql://h/db"], {
    cwd: "/",
    environment: ENVIRONMENT,
    saved: { find: () => Promise.resolve(undefined), defaultName: () => Promise.resolve(undefined) },
  });
  assert.ok(target.engine === "mysql" && target.user === undefined && target.password === undefined);
});

const PASSFILE = `# host:port:database:user:password
other:5432:*:*:not this
h:5432:sales:ann:exact
h:*:*:bob:any\\:thing\\\\
localhost:*:*:*:by socket
*:*:*:carl:everywhere
`;

Deno.test("a password is looked up in .pgpass", async () => {
  const files = { ".pgpass": PASSFILE };
  const passwords: { readonly [url: string]: string | undefined } = {
    "postgresql://ann@h/sales": "exact",
    "postgresql://ann@h/other": undefined,
    "postgresql://ann@h:5433/sales": undefined,
    "postgresql://bob@h:5433/x": "any:thing\\",
    "postgresql://carl@nowhere,h/x": "everywhere",
    "postgresql://ann@nowhere,h/sales": "exact",
    "postgresql://ann@/sales": "by socket",
    "postgresql://ann@/sales?host=/run/sockets": "by socket",
    "postgresql://ann:own@h/sales": "own",
  };
  for (const [url, password] of Object.entries(passwords)) {
    assert.equal((await resolve(url, { files })).password, password, url);
  }
  const saved = { host: "h", user: "bob", database: "x" };
  assert.equal((await resolve("kept", { files, saved })).password, "any:thing\\");
  const elsewhere = { files: { "passwords": PASSFILE }, environment: { PGPASSFILE: "HOME/passwords" } };
  assert.equal((await resolve("postgresql://ann@h/sales", elsewhere)).password, "exact");
});

Deno.test("a password file that others may read is not used", async () => {
  const home = await Deno.makeTempDir();
  await Deno.writeTextFile(`${home}/.pgpass`, PASSFILE, { mode: 0o644 });
  await Deno.chmod(`${home}/.pgpass`, 0o644);
  const saved = { find: () => Promise.resolve(undefined), defaultName: () => Promise.resolve(undefined) };
  const [target] = await resolveTargets(["postgresql://ann@h/sales"], { cwd: home, home, saved });
  assert.ok(target.engine === "postgres" && target.password === undefined);
  await Deno.remove(home, { recursive: true });
});

Deno.test("certificates of ~/.postgresql are used where none are named", async () => {
  const files = {
    ".postgresql/root.crt": "x",
    ".postgresql/postgresql.crt": "x",
    ".postgresql/postgresql.key": "x",
  };
  const client = { cert: "HOME/.postgresql/postgresql.crt", key: "HOME/.postgresql/postgresql.key" };
  const ca = "HOME/.postgresql/root.crt";
  const tls = async (url: string) => (await resolve(url, { files })).tls;
  assert.deepEqual(await tls("postgresql://h/db?sslmode=verify-full"), {
    mode: "verify-full",
    ca,
    ...client,
  });
  assert.deepEqual(await tls("postgresql://h/db?sslmode=require"), { mode: "require", ...client });
  assert.deepEqual(await tls("postgresql://h/db?sslmode=disable"), { mode: "disable" });
  assert.equal((await tls("postgresql://h/db?sslmode=verify-ca&sslrootcert=/own.crt")).ca, "/own.crt");
});

Deno.test("a connection made of the environment and .pgpass alone reaches the server", async () => {
  const escaped = READER.password.replace(/[\\:]/g, "\\$&");
  const found = await resolve("postgresql:///shop", {
    environment: { PGHOST: "127.0.0.1", PGPORT: String(server.port), PGUSER: READER.user },
    files: { ".pgpass": `*:*:*:${ADMIN.user}:no\n*:${server.port}:shop:${READER.user}:${escaped}\n` },
  });
  const { user = "", password = "", hosts } = found;
  const database = await openPostgres(server, { login: { user, password }, hosts });
  assert.deepEqual((await runAll(database, "SELECT current_user")).rows, [[READER.user]]);
  await database.close();
});
