/**
 * Statements by which each engine could be made to read /etc/passwd, to reach the network or to start a program.
 */
import type { EngineName } from "../../src/db/driver.ts";

export interface Trap {
  /** Where somebody listens on this machine whom nobody may reach. */
  readonly port: number;
  /** A file that a program would make. */
  readonly marker: string;
}

export const PASSWD = "/etc/passwd";

export function reachingStatements({ port, marker }: Trap): { readonly [engine in EngineName]: string[] } {
  const duckdb = [
    `SELECT * FROM read_text('${PASSWD}')`,
    `SELECT * FROM read_csv('${PASSWD}')`,
    `ATTACH '${PASSWD}' AS other`,
    `SELECT * FROM read_csv('http://127.0.0.1:${port}/rows.csv')`,
    `INSTALL httpfs FROM 'http://127.0.0.1:${port}'`,
    `ATTACH 'host=127.0.0.1 port=${port}' AS other (TYPE postgres)`,
    `SELECT * FROM read_csv('touch ${marker} |')`,
    `LOAD '${marker}.so'`,
  ];
  return {
    sqlite: [
      `ATTACH '${PASSWD}' AS other`,
      `SELECT readfile('${PASSWD}')`,
      `ATTACH 'http://127.0.0.1:${port}/rows.db' AS other`,
      `SELECT edit('x', 'touch ${marker}')`,
      `SELECT load_extension('${marker}.so')`,
    ],
    duckdb,
    files: duckdb,
    postgres: [
      `SELECT pg_read_file('${PASSWD}')`,
      `COPY (SELECT 1) TO PROGRAM 'touch ${marker}'`,
      `SELECT * FROM dblink('host=127.0.0.1 port=${port}', 'SELECT 1') AS t(x int)`,
      `CREATE SUBSCRIPTION s CONNECTION 'host=127.0.0.1 port=${port}' PUBLICATION p`,
      `LOAD '${marker}.so'`,
    ],
    mysql: [
      `SELECT LOAD_FILE('${PASSWD}')`,
      `LOAD DATA INFILE '${PASSWD}' INTO TABLE customers`,
      `LOAD DATA LOCAL INFILE '${PASSWD}' INTO TABLE customers`,
      `CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = ${port}`,
      `SELECT sys_exec('touch ${marker}')`,
      `INSTALL SONAME '${marker}'`,
    ],
  };
}
