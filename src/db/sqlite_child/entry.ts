/**
 * Where a SQLite process begins when the program runs from source: nothing else of the program is read, which main.ts would
 * bring with it as far as it could ever import it. A compiled program begins in main.ts and calls the same function.
 */
import { serveSqlite } from "./serve.ts";

// The first word only names the process to whoever lists processes.
serveSqlite(Deno.args.slice(1), { input: Deno.stdin, output: Deno.stdout });
Deno.exit(0);
