/** What no host sends on purpose. */
import type { Program } from "./program.ts";

/** Each is one line, and no command. */
export function garbage(): (string | Uint8Array)[] {
  const random = crypto.getRandomValues(new Uint8Array(1 << 16));
  return [
    "x".repeat(10 << 20) + "\n",
    random.map((byte, at) => at === random.length - 1 ? 0x0a : byte === 0x0a || byte === 0x0d ? 0x80 : byte),
    new Uint8Array([0xff, 0xfe, 0x00, 0x0a]),
    "null\n",
    '[{"type":"get_state"}]\n',
    "[".repeat(100_000) + "\n",
    '"text"\n',
    "17\n",
    '{"type":7}\n',
  ];
}

export async function sendByteByByte(program: Program, text: string): Promise<void> {
  for (const byte of new TextEncoder().encode(text)) await program.send(new Uint8Array([byte]));
}
