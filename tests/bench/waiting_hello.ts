/**
 * The smallest program that stays: prints a line and waits for input. What saber's memory at rest is compared with.
 */
Deno.stdout.writeSync(new TextEncoder().encode("hello\n"));
Deno.stdin.readSync(new Uint8Array(1));
