/**
 * What a new session is told before its first statement: how text, time and quotes are read and written, that it only
 * reads, and how long the server lets a statement run should we be gone.
 */
import type { Access } from "../driver.ts";
import { isConnectionLoss, mysqlFault } from "./faults.ts";
import type { Session } from "./session.ts";

/** How long rows of a statement may stream, in milliseconds. */
const STREAM_MS = 600_000;

/**
 * Modes under which the server would divide a text otherwise than the guard does. Some stand for others, which are
 * listed beside them and stay.
 */
const MISREADING = [
  "ANSI",
  "ANSI_QUOTES",
  "NO_BACKSLASH_ESCAPES",
  "ORACLE",
  "MSSQL",
  "DB2",
  "POSTGRESQL",
  "MAXDB",
  "MYSQL323",
  "MYSQL40",
];

/** Throws Fault. */
export async function setUp(
  session: Session,
  { access, timeoutMs }: { access: Access; timeoutMs: number },
): Promise<void> {
  try {
    await setLimits(session, { isMariadb: await setLanguage(session), timeoutMs });
    if (access === "read") await startReading(session);
  } catch (error) {
    throw mysqlFault(error, { doing: "set up the session" });
  }
}

/** How texts and times are read and written; whether the server is MariaDB. Throws the server's error. */
export async function setLanguage(session: Session): Promise<boolean> {
  const [[version = "", mode = ""] = []] = await session.rows("SELECT VERSION(), @@sql_mode");
  const modes = String(mode).split(",").filter((each) => !MISREADING.includes(each));
  await session.rows(
    `SET NAMES utf8mb4, time_zone = '+00:00', autocommit = 1, sql_mode = '${modes.join(",")}'`,
  );
  return /mariadb/i.test(String(version));
}

/** Once for a session, before its first statement; `ROLLBACK AND CHAIN` begins the next such transaction. */
async function startReading(session: Session): Promise<void> {
  // the session's mode forbids what would end the transaction first, as CREATE and DROP do
  await session.rows("SET SESSION TRANSACTION READ ONLY");
  await session.rows("START TRANSACTION READ ONLY");
}

/** The server's own bounds. Each is left out on servers that do not know it. */
async function setLimits(
  session: Session,
  { isMariadb, timeoutMs }: { isMariadb: boolean; timeoutMs: number },
): Promise<void> {
  const longest = timeoutMs + STREAM_MS;
  const limits = [
    isMariadb ? `max_statement_time = ${longest / 1000}` : `max_execution_time = ${longest}`,
    // how long the server waits for a reader that has paused
    `net_write_timeout = ${Math.ceil(longest / 1000)}`,
    // MySQL cuts the result of GROUP_CONCAT off after 1024 bytes; MariaDB's own limit is a mebibyte
    "group_concat_max_len = GREATEST(@@group_concat_max_len, 1048576)",
  ];
  if (await accepts(session, limits)) return;
  for (const limit of limits) await accepts(session, [limit]);
}

async function accepts(session: Session, settings: readonly string[]): Promise<boolean> {
  try {
    await session.rows(`SET SESSION ${settings.join(", SESSION ")}`);
    return true;
  } catch (error) {
    if (isConnectionLoss(error)) throw error;
    return false;
  }
}
