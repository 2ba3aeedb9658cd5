/**
 * The smallest program: prints a line. What saber's start is compared with.
 */
Deno.stdout.writeSync(new TextEncoder().encode("hello\n"));
