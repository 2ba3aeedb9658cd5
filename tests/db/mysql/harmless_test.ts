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

const server = await sharedMariadb();

const RUN: readonly string[] = [
  "SELECT 1--1",
  "SELECT 1 -- a comment",
  "SELECT 1 # another",
  "SELECT /* DELETE FROM orders */ 1",
  "SELECT 1;",
  "  ( SELECT 1 ) ",
  "SELECT 'DELETE FROM orders' AS s",
  "SELECT '\\'; DELETE FROM orders; -- '",
  "SELECT 'it''s', \"say \"\"hi\"\"\", 'a\\\\'",
  "SELECT * FROM customers WHERE name LIKE '%insert into%'",
  "SELECT `update`.id FROM orders AS `update`",
  'SELECT `two words`, `back``tick`, `; DROP TABLE customers; --` FROM `Weird "Name" - ünï`',
  "SELECT `Key`, `primary` FROM `order`",
  "SELECT 1 AS `into`, 2 AS 'outfile', 3 AS \"sleep\"",
  "WITH a AS (SELECT 1 AS x) SELECT * FROM a",
  "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT SUM(i) FROM n",
  "WITH a AS (SELECT id FROM orders LIMIT 3), b (y) AS (SELECT id * 2 FROM a) SELECT * FROM a JOIN b ON b.y = 2 * a.id",
  "SELECT id, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY ordered_at DESC) AS rn FROM orders LIMIT 5",
  "SELECT id, SUM(shipping_fee) OVER w FROM orders WINDOW w AS (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) LIMIT 5",
  "SELECT category, RANK() OVER (ORDER BY SUM(price) DESC), LAG(category) OVER (ORDER BY category) FROM products GROUP BY category",
  "SELECT category, MEDIAN(price) OVER (PARTITION BY category) FROM products LIMIT 3",
  "SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY price) OVER (PARTITION BY category) FROM products LIMIT 3",
  "SELECT AVG(price) OVER (ORDER BY id RANGE BETWEEN 5 PRECEDING AND CURRENT ROW) FROM products LIMIT 3",
  "SELECT * FROM JSON_TABLE('[{\"a\": 1}, {\"a\": 2}]', '$[*]' COLUMNS (n FOR ORDINALITY, a INT PATH '$.a' DEFAULT '0' ON EMPTY)) AS j",
  "SELECT s.id, j.k FROM `strange values` s, JSON_TABLE(s.json_value, '$.list[*]' COLUMNS (k VARCHAR(20) PATH '$')) AS j",
  "SELECT JSON_EXTRACT(json_value, '$.big'), JSON_UNQUOTE(JSON_VALUE('{\"a\": \"b\"}', '$.a')), JSON_ARRAYAGG(id) FROM `strange values`",
  "SELECT JSON_OBJECT('id', id, 'name', name) FROM customers LIMIT 2",
  "SELECT name FROM customers WHERE name REGEXP '^[A-M]' AND name NOT RLIKE 'x$' LIMIT 3",
  "SELECT REGEXP_REPLACE(name, '[aeiou]', '*'), REGEXP_SUBSTR(name, '[A-Z]') FROM customers LIMIT 3",
  "SELECT GROUP_CONCAT(DISTINCT category ORDER BY category DESC SEPARATOR '; ') FROM products",
  "SELECT GROUP_CONCAT(id, '-', category ORDER BY id LIMIT 2) FROM products",
  "SELECT NOW() - INTERVAL 1 DAY, CURDATE() + INTERVAL '1:30' MINUTE_SECOND, DATE_SUB(NOW(), INTERVAL (1 + 1) HOUR)",
  "SELECT INTERVAL 1 MONTH + '2024-01-31', INTERVAL(23, 1, 15, 17, 30)",
  "SELECT EXTRACT(YEAR_MONTH FROM ordered_at), EXTRACT(HOUR FROM ordered_at) FROM orders LIMIT 1",
  "SELECT TIMESTAMPDIFF(DAY, ordered_at, shipped_at), TIMESTAMPADD(WEEK, 1, ordered_at) FROM orders LIMIT 1",
  "SELECT DATE_FORMAT(ordered_at, '%Y-%m') AS `month`, COUNT(*) FROM orders GROUP BY `month` ORDER BY `month`",
  "SELECT STR_TO_DATE('31/12/2024', '%d/%m/%Y'), UNIX_TIMESTAMP('2024-01-01'), FROM_UNIXTIME(0), GET_FORMAT(DATE, 'EUR')",
  "SELECT DATE '2024-01-01', TIME '10:00', TIMESTAMP '2024-01-01 10:00:00', {d '2024-01-01'}",
  "SELECT CURRENT_DATE, CURRENT_TIMESTAMP(3), UTC_DATE(), LOCALTIME, SYSDATE()",
  "SELECT CONVERT(name USING latin1), CONVERT(id, CHAR(10)), CAST(id AS DECIMAL(10,2)), CAST(id AS UNSIGNED) FROM customers LIMIT 1",
  "SELECT CAST(name AS CHAR(5) CHARACTER SET utf8mb4), CHAR(65, 66 USING utf8mb4), CAST('a' AS BINARY(3)) FROM customers LIMIT 1",
  "SELECT _utf8mb4'x' COLLATE utf8mb4_bin, N'y', x'4142', 0x41, b'101', BINARY 'a' = 'A'",
  "SELECT name FROM customers ORDER BY name COLLATE utf8mb4_bin LIMIT 2",
  "SELECT * FROM orders STRAIGHT_JOIN customers ON orders.customer_id = customers.id LIMIT 1",
  "SELECT STRAIGHT_JOIN SQL_NO_CACHE o.id FROM orders o JOIN customers c ON o.customer_id = c.id LIMIT 1",
  "SELECT id FROM orders USE INDEX (orders_customer) WHERE customer_id = 5 LIMIT 1",
  "SELECT id FROM orders FORCE INDEX FOR JOIN (PRIMARY) IGNORE INDEX (orders_customer) LIMIT 1",
  "SELECT c.name FROM (orders o, customers c) WHERE o.customer_id = c.id LIMIT 1",
  "SELECT COUNT(*) FROM orders o LEFT JOIN (order_items i CROSS JOIN products p) ON i.order_id = o.id AND p.id = i.product_id WHERE o.id < 5",
  "SELECT COUNT(*) FROM customers NATURAL JOIN (SELECT 1 AS id) AS x",
  "SELECT 7 DIV 2, 7 % 2, 7 MOD 4, MOD(7, 4), 1 XOR 0, !1, ~1, 1 << 2, 5 & 1, 5 | 1, 5 ^ 1, - -1, 2 - -1",
  "SELECT NULL <=> NULL, 1 && 0, 1 || 0, NOT 1, 1 IS TRUE, NULL IS UNKNOWN, 1 IN (1, 2), 2 BETWEEN 1 AND 3",
  "SELECT 'a' SOUNDS LIKE 'b', 'a' LIKE 'a|%' ESCAPE '|', 'a' 'b' 'c'",
  "SELECT (1, 2) = (1, 2), ROW(1, 2) < ROW(2, 1), (SELECT 1) + 1",
  "SELECT TRIM(LEADING 'x' FROM 'xa'), TRIM(BOTH FROM ' a '), POSITION('a' IN 'ba'), SUBSTRING('abc' FROM 2 FOR 1)",
  "SELECT LEFT('abc', 1), RIGHT('abc', 1), REPLACE('a', 'a', 'b'), INSERT('abc', 1, 1, 'x'), REPEAT('a', 2), TRUNCATE(1.5, 0), IF(1, 2, 3)",
  "SELECT status, COUNT(*), GROUPING_CONCAT FROM (SELECT status, 1 AS GROUPING_CONCAT FROM orders) x GROUP BY status WITH ROLLUP",
  "SELECT YEAR(ordered_at) AS year, QUARTER(ordered_at) AS quarter, COUNT(*) FROM orders GROUP BY year, quarter WITH ROLLUP",
  "SELECT status FROM orders GROUP BY status HAVING COUNT(DISTINCT customer_id) > 5 ORDER BY NULL",
  "SELECT DISTINCT status FROM orders ORDER BY FIELD(status, 'paid', 'pending') DESC LIMIT 2, 3",
  "SELECT id FROM orders LIMIT 10 OFFSET 5",
  "SELECT id FROM orders ORDER BY id FETCH FIRST 3 ROWS ONLY",
  "SELECT 1 UNION ALL SELECT 2 EXCEPT SELECT 3 INTERSECT SELECT 3",
  "(SELECT 1 AS a) UNION (SELECT 2) ORDER BY a DESC LIMIT 1",
  "VALUES (1, 2), (3, 4)",
  "SELECT * FROM (VALUES (1, 2)) AS v",
  "SELECT @@version, @@session.time_zone, @@global.max_connections, @unset",
  "SELECT VERSION(), DATABASE(), USER(), CURRENT_USER, CONNECTION_ID(), LAST_INSERT_ID(), ROW_COUNT(), FOUND_ROWS()",
  "SELECT UUID(), MD5('a'), SHA2('a', 256), CRC32('a'), TO_BASE64('a'), HEX('a'), INET_ATON('1.1.1.1'), RAND(3)",
  "SELECT ST_AsText(ST_Buffer(POINT(1, 2), 0)), ST_Distance(POINT(0, 0), POINT(3, 4)), ST_X(POINT(1, 2))",
  "SELECT table_name, table_rows FROM information_schema.tables WHERE table_schema = DATABASE()",
  "SELECT CASE status WHEN 'paid' THEN 1 ELSE 0 END, COALESCE(coupon, 'none'), IFNULL(coupon, ''), NULLIF(status, 'paid') FROM orders LIMIT 1",
  "SELECT SUM(status = 'paid') / COUNT(*) * 100 AS pct, AVG(IF(coupon IS NULL, 0, 1)) FROM orders",
  "SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.id > ALL (SELECT 1)) LIMIT 1",
  "SELECT seq FROM seq_1_to_3",
  "EXPLAIN SELECT * FROM orders WHERE id = 1",
  "EXPLAIN FORMAT=JSON SELECT * FROM orders",
  "EXPLAIN EXTENDED SELECT 1",
  "EXPLAIN PARTITIONS WITH a AS (SELECT 1) SELECT * FROM a",
  `SELECT id FROM orders WHERE id IN (${Array.from({ length: 3000 }, (_, i) => i).join(", ")}) LIMIT 3`,
  `SELECT ${Array.from({ length: 200 }, (_, i) => `${i}`).join(" + ")}`,
  "SELECT ((((((((((1))))))))))",
];

const JUDGED: readonly string[] = [
  "SELECT j->'$.a', j->>'$.b[0]' FROM t",
  "SELECT 1 MEMBER OF ('[1]'), JSON_OVERLAPS(a, b), JSON_VALUE(j, '$.x' RETURNING DECIMAL(4,2)) FROM t",
  "SELECT * FROM t, LATERAL (SELECT * FROM u WHERE u.id = t.id LIMIT 3) AS x",
  "SELECT a FROM t JOIN LATERAL (SELECT b FROM u) AS y ON TRUE",
  "VALUES ROW(1, 'a'), ROW(2, 'b') ORDER BY column_0",
  "SELECT x.a FROM (VALUES ROW(1), ROW(2)) AS x (a)",
  "SELECT REGEXP_LIKE(a, 'x', 'i'), BIN_TO_UUID(b), ANY_VALUE(c), GROUPING(d) FROM t GROUP BY d WITH ROLLUP",
  "SELECT FIRST_VALUE(a) RESPECT NULLS OVER (ORDER BY b) FROM t",
  "EXPLAIN FORMAT=TREE SELECT 1",
  "SELECT a FROM t PARTITION (p0, p1) AS x",
  "SELECT MATCH (title, body) AGAINST ('+a -b' IN BOOLEAN MODE) AS score FROM t ORDER BY score DESC",
  "SELECT * FROM t FOR SYSTEM_TIME ALL",
  "SELECT * FROM t FOR SYSTEM_TIME AS OF TIMESTAMP '2024-01-01 00:00:00' AS x WHERE a = 1",
  "SELECT * FROM t FOR SYSTEM_TIME AS OF NOW() - INTERVAL 1 DAY",
  "SELECT * FROM t FOR SYSTEM_TIME BETWEEN '2024-01-01' AND NOW()",
  "SELECT * FROM t FETCH FIRST 5 ROWS ONLY",
  "SELECT CAST(a AS CHAR CHARACTER SET latin1 COLLATE latin1_bin) FROM t",
  "SELECT status, value, date, time, text, user, level, role, comment, language, hour, name, count, offset, position, last FROM s",
];

const WRITTEN: readonly string[] = [
  "INSERT INTO t (a, b) VALUES (1, 'x'), (2, DEFAULT) ON DUPLICATE KEY UPDATE b = VALUES(b)",
  "INSERT IGNORE INTO t SET a = 1, b = NOW()",
  "INSERT INTO t (a) SELECT b FROM u WHERE c > 1",
  "INSERT INTO t (a, b) VALUES (1, 2) AS new (m, n) ON DUPLICATE KEY UPDATE b = new.n",
  "INSERT INTO shop.t (a) VALUES (1) RETURNING id, a",
  "UPDATE t SET a = a + 1 WHERE id IN (SELECT id FROM u) ORDER BY id LIMIT 5",
  "UPDATE LOW_PRIORITY IGNORE t, u SET t.a = u.a WHERE t.id = u.id",
  "WITH x AS (SELECT 1 AS id) UPDATE t JOIN x ON x.id = t.id SET t.a = 1 WHERE t.b = 1",
  "DELETE t FROM t JOIN u ON t.id = u.id WHERE u.a = 1",
  "DELETE FROM t WHERE id = 1 ORDER BY a LIMIT 10",
  "CREATE TABLE t (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, a ENUM('x','y') NOT NULL DEFAULT 'x' COMMENT 'c', " +
  "b DECIMAL(10,2) UNSIGNED ZEROFILL, c DATETIME(6) DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6), d JSON, " +
  "name VARCHAR(20) CHARACTER SET latin1, e INT GENERATED ALWAYS AS (id + 1) STORED, CHECK (id > 0), PRIMARY KEY (id), " +
  "UNIQUE KEY u (name), KEY i (name(10), a), FULLTEXT KEY f (name), CONSTRAINT fk FOREIGN KEY (e) REFERENCES u (id) " +
  "ON DELETE CASCADE) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='x'",
  "CREATE TABLE t (engine VARCHAR(10), type VARCHAR(10), connection INT)",
  "CREATE TABLE IF NOT EXISTS t AS SELECT engine AS type FROM u",
  "CREATE TEMPORARY TABLE t LIKE u",
  "CREATE OR REPLACE VIEW v (a, b) AS SELECT a, b FROM t WHERE c IS NOT NULL WITH CHECK OPTION",
  "CREATE UNIQUE INDEX i ON shop.t (a(10), b DESC) USING BTREE",
  "CREATE FULLTEXT INDEX i ON t (a)",
  "CREATE INDEX i ON t ((LOWER(a)))",
  "ALTER TABLE t ADD COLUMN engine INT NOT NULL DEFAULT 0 AFTER b, ADD INDEX (a), ADD UNIQUE (c)",
  "ALTER TABLE t MODIFY COLUMN a BIGINT NOT NULL, CHANGE b c VARCHAR(30)",
  "ALTER TABLE t RENAME COLUMN a TO b",
];

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
