/** Devices, pipes, folders and huge files named where a small file belongs: each is refused, and none is read. */
import assert from "node:assert/strict";
import { readCertificates } from "../src/db/certificates.ts";
import { readConfigFile } from "../src/modes/omp/config_file.ts";
import { readSession } from "../src/modes/omp/session_file.ts";
import { readSystemPrompt } from "../src/settings/system_prompt.ts";

const READERS: Readonly<Record<string, (path: string) => Promise<string>>> = {
  "a certificate": (path) => failure(readCertificates({ mode: "verify-ca", ca: path })),
  "a session": (path) => failure(readSession(path)),
  "a system prompt": (path) => failure(readSystemPrompt(path)),
  "a file of flags": (path) => Promise.resolve(readConfigFile(path).warnings.join()),
};

async function failure(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "none";
  } catch (error) {
    return String(error);
  }
}

Deno.test({
  name: "a file that never ends, or is too large, is refused where a small one belongs",
  ignore: Deno.build.os === "windows", // it has neither devices nor pipes among its files
  fn: async (t) => {
    const folder = await Deno.makeTempDir();
    const [pipe, huge] = [`${folder}/pipe`, `${folder}/huge`];
    assert.ok((await new Deno.Command("mkfifo", { args: [pipe] }).output()).success);
    await Deno.writeTextFile(huge, "");
    await Deno.truncate(huge, 2 ** 31);
    for (const [what, read] of Object.entries(READERS)) {
      await t.step(what, async () => {
        assert.match(await read("/dev/zero"), /it is no ordinary file/);
        assert.match(await read(pipe), /it is no ordinary file/);
        assert.match(await read(folder), /it is a folder/);
        assert.match(await read(huge), /it has more than \d+ bytes/);
      });
    }
    await Deno.remove(folder, { recursive: true });
  },
});
