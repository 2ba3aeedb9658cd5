/**
 * The dialogue runner on a small program: what holds passes, and each kind of step can fail.
 */
import assert from "node:assert/strict";
import { parseDialogue, splitArguments } from "./dialogue.ts";
import { playDialogue } from "./play_dialogue.ts";
import { differences } from "./subset.ts";

const SERVER = { command: ["deno", "run", "-q", "--no-lock", "--allow-env", "tests/support/echo_server.ts"] };
const play = (text: string) => playDialogue(text, SERVER);

Deno.test("a dialogue that holds passes, step by step", async () => {
  await play(`# every kind of step
$ any "two words"
> {"type":"echo","id":1,"text":"\${dir}"}
< {"type":"response","id":1,
  "data":"\${=echoed}"}
> {"type":"echo","id":2,"text":"\${echoed} \${ab*3}"}
< {"id":2,"data":"\${/^.+ ababab$/}","error":"\${absent}"}
> {"type":"echo","id":9007199254740993,"text":""}
<~ "id":9007199254740993
> nonsense
> {"type":"echo","text":"x"}
<* {"data":"x","id":"\${absent}"}
@bytes ff 0a
<= {"type":"response","command":"parse","success":false,"error":"not UTF-8"}
>| {"type":"echo","text":"the last"}
@end
< {"data":"the last"}
! 0
2= end
2< nd
2! b
`);
});

Deno.test("each kind of step fails when it does not hold, and says where", async () => {
  const start = '$ x\n> {"type":"echo","text":"a"}\n';
  const failures: [dialogue: string, error: RegExp][] = [
    [`${start}< {"data":"b"}`, /^line 3: < .*\n\$\.data is "a", not "b"\nThe last lines were:\n\{"type"/],
    [`${start}< {"id":"\${any}"}`, /\$\.id is absent, not \$\{any\}/],
    [`${start}@end\n<* {"data":"b"}`, /^line 4: <\* .*\nThe output has ended/],
    [`${start}<~ "data":"b"`, /^line 3: <~ /],
    [`${start}<= {}`, /^line 3: <= /],
    [`${start}@end\n! 0`, /^line 4: ! 0\nOne more line came/],
    ["$ x\n@end\n! 1", /^line 3: ! 1\nIt ended with 0/],
    ["$ x\n@end\n! 0\n2< b", /^line 4: 2< b\n/],
    ["$ x\n@end\n! 0\n2! nd", /^line 4: 2! nd\n/],
    ["$ x\n@end\n! 0\n2= nd", /^line 4: 2= nd\n/],
    ["> a", /^line 1: > a\nThe program has not been started/],
    ["$ x\n\n@signal SIGKILL", /^line 3: @signal SIGKILL\nNo dialogue sends/],
    ["@models openai/text.sse,pace=1", /No play has the setting "pace=1"/],
  ];
  for (const [dialogue, error] of failures) {
    await assert.rejects(play(dialogue), (thrown: Error) => {
      assert.match(thrown.message, error);
      return true;
    });
  }
});

Deno.test("a line that is no step is told with its number", () => {
  assert.throws(() => parseDialogue("# a\n\nsend x"), /^Error: line 3: no step begins with "send"$/);
  assert.deepEqual(parseDialogue("! 0\r\n"), [{ kind: "!", text: "0", line: 1 }]);
});

Deno.test("arguments are split at spaces outside of quotes", () => {
  assert.deepEqual(splitArguments(' a "b c"  --d "" '), ["a", "b c", "--d", ""]);
});

Deno.test("differences name the path; objects may have more members, arrays may not", () => {
  const compare = (actual: unknown, expected: unknown) =>
    differences(actual, expected, { names: new Map(), path: "$" });
  assert.deepEqual(compare({ a: [{ b: 1, c: 2 }], d: 3 }, { a: [{ b: 1 }] }), []);
  assert.deepEqual(compare({ a: [{ b: 1 }] }, { a: [{ b: 2 }] }), ["$.a[0].b is 1, not 2"]);
  assert.deepEqual(compare([1, 2], [1]), ["$ has 2 members, not 1: [1,2]"]);
  assert.deepEqual(compare({}, []), ["$ is {}, no array"]);
  assert.deepEqual(compare([], {}), ["$ is [], no object"]);
  assert.deepEqual(compare(null, { a: 1 }), ["$ is null, no object"]);
  assert.deepEqual(compare("a", "${number}"), ['$ is "a", not ${number}']);
  assert.deepEqual(compare("abc", "${/^b/}"), ['$ is "abc", not ${/^b/}']);
  assert.deepEqual(compare({ a: null }, { a: "${absent}" }), ["$.a is null, not ${absent}"]);
  assert.deepEqual(compare("1", 1), ['$ is "1", not 1']);
});
