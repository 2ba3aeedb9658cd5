import assert from "node:assert/strict";
import { uuidV7 } from "../../src/base/uuid_v7.ts";

Deno.test("a UUID of version 7 says when it was made, and is another one each time", () => {
  const before = Date.now();
  const ids = Array.from({ length: 100 }, uuidV7);
  for (const id of ids) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const time = Number.parseInt(id.slice(0, 13).replace("-", ""), 16);
    assert.ok(time >= before && time <= Date.now(), `${id} was made at ${time}`);
  }
  assert.equal(new Set(ids).size, ids.length);
});
