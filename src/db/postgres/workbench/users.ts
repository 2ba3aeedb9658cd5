/**
 * PostgreSQL's roles and their privileges. What the host calls a database is a schema here, and what it calls global are the
 * attributes of a role.
 */
import { quoteName, quoteText } from "../../sql_text.ts";
import type { User, UserSql } from "../../workbench.ts";

const ATTRIBUTES = ["SUPERUSER", "CREATEDB", "CREATEROLE", "LOGIN", "REPLICATION", "BYPASSRLS"] as const;
const COLUMNS: { readonly [attribute in typeof ATTRIBUTES[number]]: string } = {
  SUPERUSER: "rolsuper",
  CREATEDB: "rolcreatedb",
  CREATEROLE: "rolcreaterole",
  LOGIN: "rolcanlogin",
  REPLICATION: "rolreplication",
  BYPASSRLS: "rolbypassrls",
};
const OPTION = "GRANT OPTION";

const role = ({ user }: User) =>
  `r AS (SELECT * FROM pg_catalog.pg_roles WHERE rolname = ${quoteText(user)})`;

/** Schema, table, privilege, and whether it may be passed on. */
const GRANTED = `granted AS (
  SELECT n.nspname AS schema, NULL::name AS name, a.privilege_type AS word, a.is_grantable
  FROM r, pg_catalog.pg_namespace n, aclexplode(n.nspacl) a WHERE a.grantee = r.oid
  UNION ALL
  SELECT n.nspname, c.relname, a.privilege_type, a.is_grantable
  FROM r, pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace, aclexplode(c.relacl) a
  WHERE a.grantee = r.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f'))`;

export const USERS: UserSql = {
  words: {
    global: ATTRIBUTES,
    database: ["USAGE", "CREATE", OPTION],
    table: ["SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER", OPTION],
  },
  list: () =>
    "SELECT rolname, '', NOT rolcanlogin FROM pg_catalog.pg_roles WHERE rolname !~ '^pg_' ORDER BY rolname",
  grants: (user) => `
    WITH ${role(user)}, ${GRANTED}
    SELECT 'ALTER ROLE ' || quote_ident(rolname) || ' ' || ${
    ATTRIBUTES.map((each) => `CASE WHEN ${COLUMNS[each]} THEN '${each}' ELSE 'NO${each}' END`).join(
      " || ' ' || ",
    )
  } FROM r
    UNION ALL
    SELECT 'GRANT ' || quote_ident(g.rolname) || ' TO ' || quote_ident(r.rolname)
    FROM r JOIN pg_catalog.pg_auth_members m ON m.member = r.oid JOIN pg_catalog.pg_roles g ON g.oid = m.roleid
    UNION ALL
    SELECT 'GRANT ' || string_agg(word, ', ' ORDER BY word) || ' ON ' || CASE WHEN name IS NULL
      THEN 'SCHEMA ' || quote_ident(schema) ELSE quote_ident(schema) || '.' || quote_ident(name) END ||
      ' TO ' || quote_ident(max(rolname)) || CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END
    FROM granted, r GROUP BY schema, name, is_grantable`,
  privileges: (user) => `
    WITH ${role(user)}, ${GRANTED}
    ${
    ATTRIBUTES.map((each) => `SELECT NULL, NULL, '${each}' FROM r WHERE ${COLUMNS[each]}`).join(" UNION ALL ")
  }
    UNION ALL SELECT schema, name, word FROM granted
    UNION ALL SELECT DISTINCT schema, name, '${OPTION}' FROM granted WHERE is_grantable
    ORDER BY 1 NULLS FIRST, 2 NULLS FIRST, 3`,
  create: ({ user }, password) => [`CREATE ROLE ${quoteName(user)} LOGIN PASSWORD ${quoteText(password)}`],
  drop: ({ user }) => [`DROP ROLE ${quoteName(user)}`],
  setPassword: ({ user }, password) => [`ALTER ROLE ${quoteName(user)} PASSWORD ${quoteText(password)}`],
  apply: ({ user }, { database, table, words, isGrant }) => {
    const name = quoteName(user);
    if (database === null) {
      return [`ALTER ROLE ${name} ${words.map((each) => isGrant ? each : `NO${each}`).join(" ")}`];
    }
    const place = table === null
      ? `SCHEMA ${quoteName(database)}`
      : `${quoteName(database)}.${quoteName(table)}`;
    const plain = words.filter((word) => word !== OPTION);
    const all = plain.length > 0 ? plain.join(", ") : "ALL PRIVILEGES";
    const hasOption = words.includes(OPTION);
    if (isGrant) return [`GRANT ${all} ON ${place} TO ${name}${hasOption ? " WITH GRANT OPTION" : ""}`];
    const onlyOption = hasOption && plain.length === 0;
    return [`REVOKE ${onlyOption ? "GRANT OPTION FOR " : ""}${all} ON ${place} FROM ${name}`];
  },
};
