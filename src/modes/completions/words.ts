/**
 * The words that shells complete, taken from the commands. How a shell is told of them is its own file's.
 */
import type { CommandInfo } from "../../app.ts";

/** A place on the command line, and what may stand there. */
export interface Place {
  /** The words before it. */
  readonly words: readonly string[];
  readonly options: readonly Option[];
}

export interface Option {
  readonly text: string;
  readonly help: string;
}

/** After the words of each command: what comes next, and its flags. */
export function placesOf(commands: readonly CommandInfo[]): Place[] {
  return commands.map(({ words, flags }) => {
    const next = commands.filter((other) =>
      other.words.length === words.length + 1 && words.every((word, at) => word === other.words[at])
    );
    return {
      words,
      options: [
        ...next.map((other) => ({ text: other.words.at(-1) ?? "", help: other.summary })),
        ...flags.map(({ name, help }) => ({ text: `--${name}`, help })),
      ],
    };
  });
}

/** Text in single quotes, as bash, zsh and fish read it; help texts keep to one line. */
export function quoted(text: string): string {
  return `'${text.replaceAll(/\s+/g, " ").replaceAll("'", "’").replaceAll("\\", "/")}'`;
}
