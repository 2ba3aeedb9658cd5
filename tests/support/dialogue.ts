/**
 * Dialogues: conversations with the program as text files. This file reads them; play_dialogue.ts plays them.
 *
 * One step a line. A line that begins with a space continues the line before. What the first word means:
 *
 *     # text              a comment; blank lines mean nothing either
 *     @file PATH TEXT     writes a file into ${dir}, a folder of this dialogue alone
 *     @env NAME VALUE     sets a variable of the program's environment
 *     @play NAME TOOL JSON  names a play in which the model calls a tool with these arguments, where LATEST_RESULT
 *                         stands for the last result id that it was told
 *     @models PLAY …      starts a model server that answers its requests with these plays, in order, and points
 *                         OPENAI_BASE_URL and OPENAI_API_KEY to it. A play is a file of fixtures/streams, the name of a
 *                         `@play`, or a status for an empty answer; `,paceMs=5`, `,stallAt=9` and `,resetAt=9` may follow the file
 *     $ ARGS              starts the program, and ends the one before; arguments are split at spaces, outside of
 *                         "double quotes"
 *     > TEXT              sends a line
 *     >| TEXT             sends text without a line end
 *     @bytes HEX …        sends bytes
 *     @end                ends the program's input
 *     @signal NAME        sends a signal (SIGTERM)
 *     < JSON              the next line contains this JSON (subset.ts)
 *     <* JSON             one of the next lines does; those before it are passed over
 *     <~ TEXT             the next line has this text in it, to the character
 *     <= TEXT             the next line is this text
 *     ! CODE              nothing more is printed, and the program ends by itself with this exit code
 *     2< TEXT             stderr has this text in it, once the program has ended; after "!"
 *     2! TEXT             stderr has not
 *     2= TEXT             stderr is this text
 *
 * Every line that `saber rpc` prints has to be in its contract, whatever is expected of it.
 *
 * Everywhere ${name} stands for a value: ${dir}, ${shop.sqlite}, ${shop.duckdb}, ${shop.csv}, ${shop.parquet}, what an
 * earlier match kept, ${TEXT*COUNT} for a repeated text, or ${newline}, for lines that must arrive as one piece.
 */

const KINDS = [
  "@file",
  "@env",
  "@play",
  "@models",
  "$",
  ">",
  ">|",
  "@bytes",
  "@end",
  "@signal",
  "<",
  "<*",
  "<~",
  "<=",
  "!",
  "2<",
  "2!",
  "2=",
] as const;

export type StepKind = (typeof KINDS)[number];

export interface Step {
  readonly kind: StepKind;
  readonly text: string;
  /** In the file, from 1. */
  readonly line: number;
}

/** Throws for a line that no step begins with. */
export function parseDialogue(text: string): Step[] {
  const steps: Step[] = [];
  for (const [at, line] of text.replaceAll("\r\n", "\n").split("\n").entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const last = steps.at(-1);
    if (line.startsWith(" ") && last) {
      steps[steps.length - 1] = { ...last, text: `${last.text} ${line.trim()}` };
      continue;
    }
    const [, word = "", rest = ""] = /^(\S+) ?(.*)$/.exec(line) ?? [];
    const kind = KINDS.find((each) => each === word);
    if (!kind) throw new Error(`line ${at + 1}: no step begins with "${word}"`);
    steps.push({ kind, text: rest, line: at + 1 });
  }
  return steps;
}

/** The arguments of a `$` line. */
export function splitArguments(text: string): string[] {
  return Array.from(text.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? "");
}
