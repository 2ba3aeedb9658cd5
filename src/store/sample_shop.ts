/**
 * A small shop to try things on: made by SQL alone, the same each time, in a SQLite file of its own.
 */
import { Fault } from "../base/fault.ts";

const FILE = "sample-shop.db";

const SCHEMA = `
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL, since DATE NOT NULL);
CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT NOT NULL, category TEXT NOT NULL, price DECIMAL(10,2) NOT NULL);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id),
  ordered_on DATE NOT NULL, status TEXT NOT NULL CHECK (status IN ('paid', 'shipped', 'returned', 'cancelled')));
CREATE TABLE order_items (order_id INTEGER NOT NULL REFERENCES orders (id), product_id INTEGER NOT NULL REFERENCES
  products (id), quantity INTEGER NOT NULL, unit_price DECIMAL(10,2) NOT NULL, PRIMARY KEY (order_id, product_id));
CREATE INDEX orders_by_customer ON orders (customer_id);`;

const PRODUCTS: readonly (readonly [name: string, category: string, price: number])[] = [
  ["Espresso Cup", "kitchen", 9.5],
  ["Teapot", "kitchen", 34],
  ["Bread Knife", "kitchen", 27.9],
  ["Cast Iron Pan", "kitchen", 59],
  ["Desk Lamp", "office", 45],
  ["Notebook", "office", 6.2],
  ["Fountain Pen", "office", 38],
  ["Standing Desk", "office", 420],
  ["Wool Blanket", "home", 79],
  ["Candle", "home", 12.5],
  ["Wall Clock", "home", 31],
  ["Floor Rug", "home", 149],
];

const FIRST_NAMES = ["Ada", "Björn", "Chiara", "Dmitri", "Elif", "Fatou", "Goran", "Hana", "Ines", "Jun"];
const LAST_NAMES = [
  "Moreau",
  "Nowak",
  "Okafor",
  "Petrov",
  "Quist",
  "Rossi",
  "Sato",
  "Tanaka",
  "Unger",
  "Vega",
];
const COUNTRIES = ["France", "Germany", "Italy", "Japan", "Poland", "Spain"];

const CUSTOMERS = 100;
const ORDERS = 1200;

/** The rows that SQL makes of numbers: uneven enough that questions have answers. */
const ROWS = `
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ORDERS})
INSERT INTO orders SELECT i, 1 + (i * i * 7 + i * 13) % ${CUSTOMERS}, date('2024-01-01', (i * 730 / ${ORDERS}) || ' days'),
  CASE WHEN i % 17 = 0 THEN 'returned' WHEN i % 23 = 0 THEN 'cancelled' WHEN i > ${ORDERS} - 40 THEN 'paid'
  ELSE 'shipped' END FROM n;
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${3 * ORDERS})
INSERT OR IGNORE INTO order_items SELECT 1 + i % ${ORDERS}, p.id, 1 + i % 3, p.price FROM n
  JOIN products p ON p.id = 1 + (i * 5 + i / 11) % ${PRODUCTS.length};`;

/** The path of the file in the folder, made if it is not there. Throws Fault `unavailable`. */
export async function makeSampleShop(folder: string): Promise<string> {
  const path = `${folder}/${FILE}`;
  if (await Deno.stat(path).then(({ isFile }) => isFile, () => false)) return path;
  const staging = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
    await fill(staging);
    await Deno.rename(staging, path);
    return path;
  } catch (cause) {
    await Deno.remove(staging).catch(() => {}); // it may never have been made
    throw new Fault("unavailable", `Cannot make the sample shop: ${path} cannot be written.`, { cause });
  }
}

async function fill(path: string): Promise<void> {
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(path);
  try {
    db.exec(`BEGIN; ${SCHEMA}`);
    const product = db.prepare("INSERT INTO products VALUES (?, ?, ?, ?)");
    for (const [index, values] of PRODUCTS.entries()) product.run(index + 1, ...values);
    const customer = db.prepare("INSERT INTO customers VALUES (?, ?, ?, date('2023-01-01', ? || ' days'))");
    for (let id = 1; id <= CUSTOMERS; id++) {
      const first = FIRST_NAMES[id % FIRST_NAMES.length] ?? "";
      const last = LAST_NAMES[Math.floor(id / 10) % LAST_NAMES.length] ?? "";
      customer.run(id, `${first} ${last}`, COUNTRIES[(id * id) % COUNTRIES.length] ?? "", id * 9);
    }
    db.exec(`${ROWS} COMMIT`);
  } finally {
    db.close();
  }
}
