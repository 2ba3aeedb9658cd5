/**
 * MySQL's accounts and their privileges.
 */
import type { User, UserSql } from "../../workbench.ts";
import { quoteName, quoteText } from "../sql_text.ts";

const OPTION = "GRANT OPTION";
const TABLE = [
  ...["SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "REFERENCES", "INDEX", "ALTER"],
  ...["CREATE VIEW", "SHOW VIEW", "TRIGGER", OPTION],
];
const DATABASE = [
  ...TABLE,
  ...["CREATE TEMPORARY TABLES", "LOCK TABLES", "EVENT", "CREATE ROUTINE", "ALTER ROUTINE", "EXECUTE"],
];
const GLOBAL = [
  ...DATABASE,
  ...[
    "CREATE USER",
    "FILE",
    "PROCESS",
    "RELOAD",
    "REPLICATION CLIENT",
    "REPLICATION SLAVE",
    "SHOW DATABASES",
  ],
  ...["SHUTDOWN", "SUPER"],
];

const account = ({ user, host }: User) => `${quoteText(user)}@${quoteText(host || "%")}`;
/** The account as the catalogue spells it. */
const grantee = ({ user, host }: User) => quoteText(`'${user}'@'${host || "%"}'`);

/** Privileges of one kind of thing, and the right to pass them on as one of them. */
const granted = (user: User, { view, place }: { view: string; place: string }) => `
  SELECT ${place}, PRIVILEGE_TYPE FROM information_schema.${view}
  WHERE GRANTEE = ${grantee(user)} AND PRIVILEGE_TYPE <> 'USAGE'
  UNION SELECT ${place}, '${OPTION}' FROM information_schema.${view} WHERE GRANTEE = ${
  grantee(user)
} AND IS_GRANTABLE = 'YES'`;

export const USERS: UserSql = {
  words: { global: GLOBAL, database: DATABASE, table: TABLE },
  // each server reads its own comment alone
  list: () => `
    SELECT u.User, u.Host, FALSE /*!50706 OR account_locked = 'Y' */ /*M! OR EXISTS (SELECT 1 FROM mysql.global_priv g
      WHERE g.User = u.User AND g.Host = u.Host AND JSON_VALUE(g.Priv, '$.account_locked') IN ('true', '1')) */
    FROM mysql.user u WHERE u.User <> '' /*M! AND u.is_role = 'N' */ ORDER BY u.User, u.Host`,
  grants: (user) => `SHOW GRANTS FOR ${account(user)}`,
  privileges: (user) =>
    [
      granted(user, { view: "USER_PRIVILEGES", place: "NULL, NULL" }),
      granted(user, { view: "SCHEMA_PRIVILEGES", place: "TABLE_SCHEMA, NULL" }),
      granted(user, { view: "TABLE_PRIVILEGES", place: "TABLE_SCHEMA, TABLE_NAME" }),
    ].join(" UNION ") + " ORDER BY 1, 2, 3",
  create: (user, password) => [`CREATE USER ${account(user)} IDENTIFIED BY ${quoteText(password)}`],
  drop: (user) => [`DROP USER ${account(user)}`],
  setPassword: (user, password) => [`ALTER USER ${account(user)} IDENTIFIED BY ${quoteText(password)}`],
  apply: (user, { database, table, words, isGrant }) => {
    const place = `${database === null ? "*" : quoteName(database)}.${
      table === null ? "*" : quoteName(table)
    }`;
    if (!isGrant) return [`REVOKE ${words.join(", ")} ON ${place} FROM ${account(user)}`];
    const plain = words.filter((word) => word !== OPTION);
    const option = words.includes(OPTION) ? " WITH GRANT OPTION" : "";
    return [
      `GRANT ${plain.length > 0 ? plain.join(", ") : "USAGE"} ON ${place} TO ${account(user)}${option}`,
    ];
  },
};
