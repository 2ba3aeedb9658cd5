/**
 * The parameters of the commands. The texts of the checks are what a host reads.
 */
import * as z from "zod/mini";
import { THINKING_WORDS } from "./command_line.ts";

function text(name: string) {
  return z.string({ error: `${name} must be a string` });
}

function filled(name: string, error = `${name} must be a non-empty string`) {
  return z.string({ error: `${name} must be a string` }).check(z.regex(/\S/, { error }));
}

function word<const Words extends readonly string[]>(name: string, words: Words) {
  return z.enum(words, { error: `${name} must be one of: ${words.join(", ")}` });
}

function flag(name: string) {
  return z.boolean({ error: `${name} must be true or false` });
}

const IMAGES = { error: "images must be a list of {type, data, mimeType}" };
const images = z.nullish(z.array(
  z.object({ type: z.literal("image", IMAGES), data: z.string(IMAGES), mimeType: z.string(IMAGES) }, IMAGES),
  IMAGES,
));

export const Nothing = z.object({});

export const Prompt = z.object({
  message: text("message"),
  images,
  streamingBehavior: z.nullish(word("streamingBehavior", ["steer", "followUp"])),
});
export const Message = z.object({ message: text("message"), images });
export const NewSession = z.object({ parentSession: z.nullish(text("parentSession")) });

/** What is set becomes the default of later processes, too. */
const persist = z.nullish(flag("persist"));
export const SetModel = z.object({ provider: filled("provider"), modelId: filled("modelId"), persist });
export const SetThinkingLevel = z.object({ level: word("level", THINKING_WORDS), persist });

export const QueueMode = z.object({ mode: word("mode", ["all", "one-at-a-time"]), persist });
export const InterruptMode = z.object({ mode: word("mode", ["immediate", "wait"]), persist });
export const Enabled = z.object({ enabled: flag("enabled") });
export const Instructions = z.object({ customInstructions: z.nullish(text("customInstructions")) });

export const Bash = z.object({
  command: z.string({ error: "Missing field `command`" }).check(
    z.regex(/^[^\0]*$/, { error: "command must not have a NUL character in it" }),
  ),
  excludeFromContext: z.nullish(flag("excludeFromContext")),
});

const FROM = { error: "fromByte must be a finite number" };
export const GetSubagentMessages = z.object({
  subagentId: z.nullish(text("subagentId")),
  sessionFile: z.nullish(text("sessionFile")),
  fromByte: z.nullish(z.number(FROM)),
});
export const SubscribeSubagents = z.object({
  level: z.enum(["off", "progress", "events"], {
    error: ({ input }) => `Invalid subagent subscription level: ${String(input)}`,
  }),
});

export const Login = z.object({ providerId: filled("providerId") });

export const ExportHtml = z.object({ outputPath: z.nullish(filled("outputPath")) });
export const SwitchSession = z.object({ sessionPath: filled("sessionPath") });
export const Branch = z.object({ entryId: filled("entryId") });
export const SetSessionName = z.object({ name: filled("name", "Session name cannot be empty") });

const OFFSET = { error: "offset must be a non-negative integer" };
const LIMIT = { error: "limit must be an integer from 1 to 5000" };
export const GetQueryResult = z.object({
  resultId: filled("resultId"),
  offset: z._default(z.int(OFFSET).check(z.gte(0, OFFSET)), 0),
  limit: z._default(z.int(LIMIT).check(z.gte(1, LIMIT), z.lte(5000, LIMIT)), 500),
});
export const GetArtifact = z.object({ artifactId: filled("artifactId") });
export const GetEntries = z.object({ since: z.nullish(text("since")) });

const PAGE = { error: "limit must be an integer from 1 to 256" };
export const GetMessagesPage = z.object({
  cursor: z.nullish(z.string({ error: "cursor must be a string" })),
  limit: z._default(z.int(PAGE).check(z.gte(1, PAGE), z.lte(256, PAGE)), 256),
});

export const NegotiateProtocol = z.object({
  protocolVersion: z.literal([1, 2], { error: "protocolVersion must be 1 or 2" }),
});

const PHASES = "phases must be an array of {name, tasks: [{content, status}]}";
const Task = z.object({
  id: z.nullish(z.string({ error: PHASES })),
  content: z.string({ error: PHASES }),
  status: z.enum(["pending", "in_progress", "completed", "abandoned"], { error: PHASES }),
}, { error: PHASES });
export const SetTodos = z.object({
  phases: z.array(
    z.object({
      id: z.nullish(z.string({ error: PHASES })),
      name: z.string({ error: PHASES }),
      tasks: z.array(Task, { error: PHASES }),
    }, { error: PHASES }),
    { error: PHASES },
  ),
});
