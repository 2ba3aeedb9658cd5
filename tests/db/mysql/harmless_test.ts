/**
 * Statements that must pass: those that MariaDB knows run on the shop, behind the guard, as a user who may only read;
 * those that only MySQL 8 knows are judged.
 */
import assert from "node:assert/strict";
import { KNOWN_ANSWERS } from "../../../fixtures/shop/known_answers.ts";
import type { Cell } from "../../../src/db/values.ts";
import { Decimal } from "../../../src/db/values.ts";
import { guard } from "../../../src/db/guarded.ts";
import { READER, sharedMariadb } from "../../support/mariadb_server.ts";
import { ask, openMysql, withMysql } from "../../support/mysql_database.ts";
import { JUDGED, RUN, WRITTEN } from "./harmless_list.ts";

const server = await sharedMariadb();

Deno.test("honest SQL runs behind the guard, as a user who may only read", async () => {
  const options = { access: "read", timeoutMs: 10_000 } as const;
  const database = guard(await openMysql({ server, login: READER, ...options }), options);
  try {
    for (const sql of RUN) {
      const { columns } = await ask(database, sql).catch((error: unknown) =>
        assert.fail(
          `${sql}\n${error}\n${Deno.inspect(error instanceof Error && "server" in error && error.server)}`,
        )
      );
      assert(columns.length > 0, sql);
    }
  } finally {
    await database.close();
  }
});

Deno.test("honest SQL passes the judge, also where this server does not know it", async () => {
  await withMysql({ server }, async ({ dialect }) => {
    const failed: string[] = [];
    for (
      const [access, statements] of [["read", [...JUDGED, ...RUN]], ["write", [...WRITTEN, ...RUN]]] as const
    ) {
      for (const sql of statements) {
        await dialect.judge?.(sql, access).catch((error: unknown) =>
          failed.push(`${access}: ${sql}: ${error}`)
        );
      }
    }
    assert.deepEqual(failed, []);
  });
});

Deno.test("questions about the shop get their answers", async () => {
  const options = { access: "read", timeoutMs: 30_000 } as const;
  const database = guard(await openMysql({ server, login: READER, ...options }), options);
  const plain = (cell: Cell) => cell instanceof Decimal ? Number(cell.text) : cell;
  try {
    for (const { question, sql, rows } of KNOWN_ANSWERS) {
      const found = (await ask(database, sql)).rows.map((row) => row.map(plain));
      assert.deepEqual(found, rows, question);
    }
  } finally {
    await database.close();
  }
});
