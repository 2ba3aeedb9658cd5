/**
 * The commands by which a host offers tools and addresses of its own, its answers to what it is asked, and the user's shell.
 */
import * as z from "zod/mini";
import { Fault } from "../../base/fault.ts";
import type { Json } from "../../base/json.ts";
import { type Command, command, type Commands } from "../../wire/dispatch.ts";
import type { Desk } from "./desk.ts";
import { DialogAnswer } from "./dialogs.ts";
import { type HostTool, HostToolId, HostToolResult, HostToolUpdate } from "./host_tools.ts";
import { type HostScheme, HostUriResult } from "./host_uris.ts";
import { Bash, Nothing } from "./schemas.ts";

const SetHostTools = z.object({
  tools: z.array(z.looseObject({}, { error: "tools must be an array of objects" }), {
    error: "tools must be an array",
  }),
});
const Schema = z.record(z.string(), z.unknown());
const SetSchemes = z.object({
  schemes: z.array(z.looseObject({}, { error: "schemes must be an array of objects" }), {
    error: "schemes must be an array",
  }),
});

/** Addresses that mean something already. */
const RESERVED = new Set(["file", "http", "https", "saber"]);

export function hostCommands(desk: Desk): Commands {
  const { hostTools, hostUris, dialogs } = desk;
  const spoil = (id: string) => hostTools.spoil(id);
  return {
    set_host_tools: command({
      params: SetHostTools,
      run: ({ tools }) => {
        hostTools.set(readTools(tools, desk));
        return { toolNames: hostTools.tools.map(({ name }) => name) };
      },
    }),
    set_host_uri_schemes: command({
      params: SetSchemes,
      run: ({ schemes }) => {
        hostUris.set(schemes.map(readScheme));
        desk.describeSchemes();
        return { schemes: hostUris.schemes.map(({ scheme }) => scheme) };
      },
    }),
    extension_ui_response: control(DialogAnswer, { take: (answer) => dialogs.answer(answer) }),
    host_tool_update: control(HostToolUpdate, {
      take: async (update) => await hostTools.update(update),
      spoil,
    }),
    host_tool_result: control(HostToolResult, { take: (result) => hostTools.finish(result), spoil }),
    host_uri_result: control(HostUriResult, { take: (result) => hostUris.finish(result) }),
    ...shellCommands(desk),
  };
}

/** What a host answers; handled as soon as it is read. A broken answer of a tool fails the call that waits for it. */
function control<S extends z.ZodMiniType>(
  schema: S,
  { take, spoil }: {
    take(answer: z.infer<S>): Promise<void> | void;
    /** Told the id of an answer that is broken otherwise. */
    spoil?(id: string): void;
  },
): Command {
  const checked = command({
    params: schema,
    lane: "concurrent",
    run: async (answer) => {
      await take(answer);
      return undefined;
    },
  });
  return {
    lane: "concurrent",
    run: async (params, context) => {
      const broken = schema.safeParse(params).success ? undefined : HostToolId.safeParse(params);
      if (broken?.success) spoil?.(broken.data.id);
      return await checked.run(params, context);
    },
  };
}

function readTools(given: readonly { readonly [key: string]: unknown }[], desk: Desk): HostTool[] {
  const tools = given.map((tool, at): HostTool => {
    const { name, description, parameters } = tool;
    if (typeof name !== "string" || name.trim() === "") {
      throw new Fault("bad_request", `Host tool at index ${at} must provide a non-empty name`);
    }
    if (typeof description !== "string" || description.trim() === "") {
      throw new Fault("bad_request", `Host tool "${name}" must provide a non-empty description`);
    }
    const schema = Schema.safeParse(parameters);
    if (!schema.success || Array.isArray(parameters)) {
      throw new Fault("bad_request", `Host tool "${name}" must provide a JSON Schema object`);
    }
    return { name, description, parameters: withType(schema.data), isHidden: tool.hidden === true };
  });
  if (new Set(tools.map(({ name }) => name)).size < tools.length) {
    throw new Fault("bad_request", "RPC host tool names must be unique");
  }
  const taken = tools.find(({ name }) => desk.toolbox.has(name));
  if (taken) throw new Fault("bad_request", `RPC host tool "${taken.name}" conflicts with an existing tool`);
  return tools;
}

/** Model servers insist on an object with properties. */
function withType(schema: HostTool["parameters"]): HostTool["parameters"] {
  return "type" in schema ? schema : { type: "object", properties: {}, ...schema };
}

function readScheme(given: { readonly [key: string]: unknown }): HostScheme {
  const { scheme: raw, description } = given;
  if (typeof raw !== "string" || raw.trim() === "") {
    throw new Fault("bad_request", "Host URI scheme must be a non-empty string");
  }
  const scheme = raw.trim().toLowerCase();
  if (!/^[a-z][a-z0-9+.-]*$/.test(scheme)) {
    throw new Fault("bad_request", `Host URI scheme contains invalid characters: ${raw}`);
  }
  if (RESERVED.has(scheme)) throw new Fault("bad_request", `Host URI scheme is reserved: ${scheme}`);
  return {
    scheme,
    description: typeof description === "string" ? description : undefined,
    isWritable: given.writable === true,
  };
}

function shellCommands({ shells, conversation }: Desk): Commands {
  return {
    bash: command({
      params: Bash,
      lane: "urgent",
      run: async ({ command, excludeFromContext }): Promise<Json> => {
        const result = await shells.run(command);
        const { output, exitCode, cancelled, truncated } = result;
        conversation.add({
          role: "bashExecution",
          ...{ command, output, cancelled, truncated, timestamp: Date.now() },
          ...(exitCode === undefined ? {} : { exitCode }),
          ...(excludeFromContext ? { excludeFromContext } : {}),
        });
        return { ...result };
      },
    }),
    abort_bash: command({
      params: Nothing,
      lane: "urgent",
      run: () => {
        shells.abort();
        return undefined;
      },
    }),
  };
}
