/**
 * What the error numbers of servers mean, and what to do about them (MySQL's server error reference; numbers from 1900
 * and 4000 on are MariaDB's own).
 */
import type { FaultCode } from "../../base/fault.ts";

export interface Meaning {
  readonly code: FaultCode;
  /** What was found and what to do next, after "Cannot …: ". */
  readonly says: string;
}

/** Numbers that a server sends to a client it then leaves. */
export const LEAVING: readonly number[] = [1040, 1053, 1129, 1927, 4031];

const MEANINGS: readonly (Meaning & { readonly numbers: readonly number[] })[] = [
  {
    numbers: [1064, 1149],
    code: "syntax_error",
    says: "it has a syntax error. Correct it and run it again.",
  },
  { numbers: [1210], code: "syntax_error", says: "it has a parameter without a value. Write the value." },
  {
    numbers: [1051, 1109, 1146],
    code: "unknown_relation",
    says: "a table in it does not exist. List the tables.",
  },
  { numbers: [1049], code: "unknown_relation", says: "a database in it does not exist. List the tables." },
  { numbers: [1046], code: "unknown_relation", says: "no database is selected. Write database.table." },
  { numbers: [1054], code: "unknown_column", says: "a column in it does not exist. Look at the columns." },
  {
    numbers: [1044, 1142, 1143, 1227, 1290, 1370, 1836],
    code: "permission_denied",
    says: "the database user lacks a right it needs.",
  },
  { numbers: [1792], code: "not_read_only", says: "it would change something, and the session only reads." },
  { numbers: [1969, 3024], code: "timeout", says: "it took longer than allowed. Ask for less." },
  { numbers: [1317], code: "cancelled", says: "it was cancelled on the server." },
  { numbers: [1205], code: "busy", says: "another session holds a lock it needs. Try again later." },
  { numbers: [1412, 1615], code: "busy", says: "a table in it was changed in the meantime. Run it again." },
  { numbers: [1213], code: "busy", says: "it ran into a deadlock with another session. Run it again." },
  {
    numbers: [1040, 1203, 1226, 1461],
    code: "busy",
    says: "the server has no free connection. Try again later.",
  },
  {
    numbers: [1045, 1130, 1251, 1524, 1698, 1820, 1862],
    code: "auth_failed",
    says: "the server refused the user or the password. Check both.",
  },
  {
    numbers: [1048, 1062, 1364, 1451, 1452, 1557, 1586, 3819, 4025],
    code: "constraint",
    says: "a constraint of the database forbids it.",
  },
  { numbers: [1129], code: "unreachable", says: "the server blocks this host. Ask its administrator." },
  { numbers: [1053, 1927], code: "unreachable", says: "the connection was lost. Run it again." },
  ...([
    [[1052], "the name of a column fits several tables. Put the table's name before it."],
    [
      [1055, 1056, 1111, 1140],
      "a column is neither grouped by nor aggregated, or an aggregate stands where none may.",
    ],
    [[1066], "two tables in it have one name. Give each an alias of its own."],
    [[1222, 1241], "the numbers of columns differ. Select as many on each side."],
    [[1242], "a subquery in it gives more than one row. Use IN, an aggregate, or LIMIT 1."],
    [[1305], "a function in it does not exist. Check its name."],
    [[1318, 1582, 1583], "a function in it takes other arguments. Look at how it is called."],
    [[1365], "it divides by zero. Wrap the divisor in NULLIF(…, 0)."],
    [[1264, 1690], "a number is out of the range of its type. Cast to a wider one."],
    [[1292, 1366, 1411], "a value does not fit its type. Cast it, or leave such rows out."],
    [[1267, 1271], "two texts have different collations. Add COLLATE to one."],
  ] as const).map(([numbers, says]) => ({ numbers, code: "database_error" as const, says })),
  { numbers: [1153, 1301], code: "too_large", says: "a value in it is larger than the server accepts." },
];

const OTHER: Meaning = {
  code: "database_error",
  says: "the database reported an error. Correct the statement, or look at the server's log.",
};

export function meaningOf(number: number): Meaning {
  return MEANINGS.find(({ numbers }) => numbers.includes(number)) ?? OTHER;
}
