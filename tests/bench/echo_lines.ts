/**
 * The smallest program that answers: copies its input to its output. What a round trip is compared with.
 */
await Deno.stdin.readable.pipeTo(Deno.stdout.writable);
