import assert from "node:assert/strict";
import type { Server } from "../../src/db/driver.ts";
import { parseDsn } from "../../src/db/dsn.ts";

function parse(dsn: string): Server {
  const [, scheme = "", rest = ""] = /^(\w+):(.*)$/s.exec(dsn) ?? [];
  return parseDsn({ scheme, rest }, { cwd: "/srv", home: "/people/bob" });
}

/** What a URL means, without the members that say nothing. */
function brief(dsn: string) {
  const { engine, hosts, user, password, database, tls } = parse(dsn);
  return [
    engine,
    hosts.map(({ host, port }) => `${host}|${port}`).join(" "),
    user ?? null,
    password ?? null,
    database ?? null,
    tls.mode,
  ];
}

const PG = "postgres";
const MY = "mysql";

Deno.test("the parts of a server's URL", () => {
  const expected: { readonly [dsn: string]: unknown[] } = {
    "postgres://u:p@h:1234/db": [PG, "h|1234", "u", "p", "db", "prefer"],
    "postgresql://u:p@h/db": [PG, "h|5432", "u", "p", "db", "prefer"],
    "postgresql://h/db": [PG, "h|5432", null, null, "db", "prefer"],
    "postgresql://u@h": [PG, "h|5432", "u", null, null, "prefer"],
    "postgresql:///db": [PG, "", null, null, "db", "prefer"],
    "postgresql://": [PG, "", null, null, null, "prefer"],
    "postgresql://u@/db": [PG, "", "u", null, "db", "prefer"],
    "postgresql://u:@h/db": [PG, "h|5432", "u", null, "db", "prefer"],
    "postgresql://:5433/db": [PG, "localhost|5433", null, null, "db", "prefer"],
    "postgresql://[::1]:5433/db": [PG, "::1|5433", null, null, "db", "prefer"],
    "postgresql://[fe80::1]/db": [PG, "fe80::1|5432", null, null, "db", "prefer"],
    "postgresql://a:1,b:2,c/db": [PG, "a|1 b|2 c|5432", null, null, "db", "prefer"],
    "postgresql://u:p@a,[::1]:7/db": [PG, "a|5432 ::1|7", "u", "p", "db", "prefer"],
    "postgresql://%2Fvar%2Frun%2Fpostgresql/db": [PG, "/var/run/postgresql|5432", null, null, "db", "prefer"],
    "postgresql:///db?host=/var/run/postgresql&port=5433": [
      PG,
      "/var/run/postgresql|5433",
      null,
      null,
      "db",
      "prefer",
    ],
    "postgresql:///db?host=a,b&port=1,2": [PG, "a|1 b|2", null, null, "db", "prefer"],
    "postgresql:///db?host=a,b&port=1": [PG, "a|1 b|1", null, null, "db", "prefer"],
    "postgresql://h/db?user=x&password=y%20z&dbname=other": [PG, "h|5432", "x", "y z", "other", "prefer"],
    "postgresql://u%40corp:p%40ss%3Aw%2Frd@h/my%20db": [
      PG,
      "h|5432",
      "u@corp",
      "p@ss:w/rd",
      "my db",
      "prefer",
    ],
    "postgresql://u:a+b c@h/db": [PG, "h|5432", "u", "a+b c", "db", "prefer"],
    "postgresql://u:p@ss@h/db": [PG, "h|5432", "u", "p@ss", "db", "prefer"],
    "postgresql://u:p:q@h/db": [PG, "h|5432", "u", "p:q", "db", "prefer"],
    "postgresql://u:p/q?r#s@h:1/db?sslmode=require": [PG, "h|1", "u", "p/q?r#s", "db", "require"],
    "postgresql://u:p#q@h/db": [PG, "h|5432", "u", "p#q", "db", "prefer"],
    "postgresql://u:100%@h/db": [PG, "h|5432", "u", "100%", "db", "prefer"],
    "postgresql://u:%E2%82%AC%zz@h/db": [PG, "h|5432", "u", "€%zz", "db", "prefer"],
    "mysql://u:p@h/db": [MY, "h|3306", "u", "p", "db", "prefer"],
    "mariadb://u:p@h:3307/db": [MY, "h|3307", "u", "p", "db", "prefer"],
    "mysql://u@localhost/db?unix_socket=/run/my.sock": [MY, "/run/my.sock|3306", "u", null, "db", "prefer"],
    "mysql://u@localhost/db?socket=/run/my.sock": [MY, "/run/my.sock|3306", "u", null, "db", "prefer"],
    "mysql://u@%2Frun%2Fmy.sock/db": [MY, "/run/my.sock|3306", "u", null, "db", "prefer"],
    "mysql://h/db?charset=utf8mb4": [MY, "h|3306", null, null, "db", "prefer"],
    "postgres://h/db?application_name=x&connect_timeout=5": [PG, "h|5432", null, null, "db", "prefer"],
  };
  for (const [dsn, parts] of Object.entries(expected)) assert.deepEqual(brief(dsn), parts, dsn);
});

Deno.test("TLS in the words of both servers", () => {
  const expected: [string, Server["tls"]][] = [
    ["", { mode: "prefer" }],
    ["sslmode=disable", { mode: "disable" }],
    ["sslmode=allow", { mode: "prefer" }],
    ["sslmode=require", { mode: "require" }],
    ["sslmode=verify-ca&sslrootcert=/ca.pem", { mode: "verify-ca", ca: "/ca.pem" }],
    ["sslmode=verify-full&sslrootcert=ca.pem", { mode: "verify-full", ca: "/srv/ca.pem" }],
    ["sslmode=verify-full&sslrootcert=system", { mode: "verify-full" }],
    ["sslrootcert=system", { mode: "verify-full" }],
    // libpq: an authority that is named is used.
    ["sslmode=require&sslrootcert=ca.pem", { mode: "verify-ca", ca: "/srv/ca.pem" }],
    ["sslmode=prefer&sslrootcert=ca.pem", { mode: "prefer", ca: "/srv/ca.pem" }],
    ["ssl_ca=~/ca.pem", { mode: "verify-ca", ca: "/people/bob/ca.pem" }],
    ["sslcert=c.pem&sslkey=k.pem", { mode: "prefer", cert: "/srv/c.pem", key: "/srv/k.pem" }],
    ["ssl_mode=DISABLED", { mode: "disable" }],
    ["ssl-mode=Preferred", { mode: "prefer" }],
    ["ssl_mode=REQUIRED", { mode: "require" }],
    ["ssl_mode=VERIFY_CA&ssl_ca=/ca.pem", { mode: "verify-ca", ca: "/ca.pem" }],
    ["ssl_mode=verify_identity&ssl_ca=/ca.pem&ssl_cert=/c&ssl_key=/k", {
      mode: "verify-full",
      ca: "/ca.pem",
      cert: "/c",
      key: "/k",
    }],
    ["sslmode=require&channel_binding=require", { mode: "verify-full" }],
    ["sslmode=require&channel_binding=prefer", { mode: "require" }],
  ];
  for (const [query, tls] of expected) {
    for (const scheme of ["postgres", "mysql"]) {
      assert.deepEqual(parse(`${scheme}://h/db?${query}`).tls, tls, `${scheme} ${query}`);
    }
  }
});

Deno.test("a URL that cannot be read names its fault, not itself", () => {
  const refused: [string, RegExp][] = [
    ["constructor://h/db", /no \/\/ follows/],
    ["postgres:h/db", /no \/\/ follows/],
    ["postgres://h:port/db", /a port in it/],
    ["postgres://h:0/db", /a port in it/],
    ["postgres://h:65536/db", /a port in it/],
    ["postgres://h/db?port=x", /a port in it/],
    ["postgres://[::1/db", /a host name in it/],
    ["postgres://::1/db", /a host name in it|a port in it/],
    ["postgres://h h/db", /a host name in it/],
    ["postgres://h/db?options=-csearch_path%3Dx", /parameter that is not supported/],
    ["postgres://h/db?sslmode=maybe", /TLS mode/],
    ["postgres://h/db?sslcert=a", /key is missing/],
    ["postgres://h/db?sslkey=a", /certificate is missing/],
    ["postgres://u:%FF@h/db", /no UTF-8/],
    ["postgres://u%00database%00x@h/db", /no UTF-8/],
  ];
  for (const [dsn, message] of refused) {
    assert.throws(() => parse(dsn), (error: Error & { code?: string }) => {
      assert.equal(error.code, "bad_target", dsn);
      assert.match(error.message, message, dsn);
      return true;
    });
  }
});
