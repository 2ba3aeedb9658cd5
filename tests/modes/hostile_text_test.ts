/**
 * Text from outside at a real terminal: whatever cells, names, models and command lines hold, no control character, escape or
 * mark of direction of theirs is written there. In a pipe every byte of a value stays.
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { startModelServer } from "../support/model_server.ts";
import { saberCommand } from "../support/program.ts";
import { runProgram } from "../support/run_program.ts";
import { textStream } from "../support/text_stream.ts";
import { Terminal } from "../support/tmux.ts";
import { toolCallStream } from "../support/tool_call_stream.ts";

const ignore = Deno.build.os === "windows"; // it has no tmux
const EVIL = "\x1b]0;title\x07\x1b[31mred\u202egnp.exe\u2066 \u009b31m\b\x1b[6n";
const NAME = "evil\u202e\x1b[31m";
/** Nothing of saber's own writing, nor of the shell's, looks like this. */
const HARMFUL = ["\x1b]", "\x1b[31m", "\x1b[6n", "\x07", "\b", "\u009b", "\u202e", "\u2066"];

const COMMANDS: { readonly [name: string]: string } = {
  "a table": 'sql -d "$DB" "SELECT * FROM t"',
  "CSV": 'sql -d "$DB" --output csv "SELECT * FROM t"',
  "JSON": 'sql -d "$DB" --output json "SELECT * FROM t"',
  "Markdown": 'sql -d "$DB" --output markdown "SELECT * FROM t"',
  "an error of the engine": 'sql -d "$DB" "SELECT json_extract(a, \'$.\' || a) FROM t"',
  "a file that is not there": `sql -d "$EVIL.sqlite" "SELECT 1"`,
  "a refused statement": 'sql -d "$DB" "DROP TABLE [$EVIL]"',
  "an unknown command": 'threads "$EVIL"',
  "an unknown flag": 'sql "--$EVIL"',
  "an unknown form": 'sql --output "$EVIL"',
  "a model": 'models set "openai:$EVIL"',
  "a theme": 'theme set "$EVIL"',
  "a test": 'db test "$DB"',
  "the doctor": 'doctor -d "$DB"',
  "a question": '-d "$DB" "What is $EVIL?"',
  "a question for CSV": '-d "$DB" --output csv "What is $EVIL?"',
  "the list of threads": "threads list",
  "a conversation": "threads show $(saber threads list --json | grep -o '[0-9a-f-]\\{36\\}' | head -1)",
};

Deno.test({ name: "nothing from outside acts on the terminal", ignore }, async (t) => {
  const call = {
    stream: { text: toolCallStream("execute_sql", { query: `SELECT *, '${EVIL}' AS b FROM t` }) },
  };
  const failing = { stream: { text: toolCallStream("execute_sql", { query: `SELECT ${EVIL}` }) } };
  const said =
    `${EVIL} **${EVIL}**\n\n| ${EVIL} |\n|---|\n| ${EVIL} |\n\n- [${EVIL}](http://${EVIL})\n\n# ${EVIL}`;
  const plays = [failing, call, { stream: { text: textStream(said) } }];
  await using models = startModelServer((n) => plays[n % plays.length] ?? call);
  await using evil = await makeEvilDatabase();
  await using terminal = await Terminal.open({
    env: {
      EVIL,
      DB: evil.path,
      OPENAI_BASE_URL: models.baseUrl,
      OPENAI_API_KEY: "key",
      SQLSABER_MODEL: "openai:test",
    },
    columns: 100,
  });
  await terminal.type(`saber() { ${saberCommand().join(" ")} "$@"; }`);
  await terminal.key("Enter");
  await terminal.record();
  let done = 0;
  for (const [name, line] of Object.entries(COMMANDS)) {
    await t.step(name, async () => {
      await terminal.type(`saber ${line}; echo "done $((${done}+1))"`);
      await terminal.key("Enter");
      await terminal.until(new RegExp(`^done ${++done}$`, "m"));
    });
  }
  const written = await terminal.written();
  assert.deepEqual(HARMFUL.filter((each) => written.includes(each)), []);
  assert.match(written, /␛\[31mred�gnp\.exe/);
});

Deno.test("in a pipe a value stays as it is", async () => {
  await using evil = await makeEvilDatabase();
  const rows = async (form: string) =>
    (await runProgram({ args: ["sql", "-d", evil.path, "--output", form, "SELECT a FROM t"] })).stdout;
  assert.equal(JSON.parse(await rows("jsonl")).a, EVIL);
  assert.equal((await rows("csv")).trimEnd(), `a\n${EVIL}`);
});

async function makeEvilDatabase(): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await Deno.makeTempDir({ prefix: "saber-hostile-" });
  const path = join(folder, `${NAME}.sqlite`);
  const db = new DatabaseSync(path);
  db.exec(`CREATE TABLE t (a TEXT, "${NAME}" TEXT); CREATE TABLE "${NAME}" (b TEXT)`);
  db.prepare("INSERT INTO t VALUES (?, ?)").run(EVIL, EVIL);
  db.close();
  return { path, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}
