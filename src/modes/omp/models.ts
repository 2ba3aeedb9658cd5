/**
 * The models that a host may choose from, as the protocol describes them.
 */
import type { App, Model, ProviderInfo } from "../../app.ts";
import type { Json } from "../../base/json.ts";
import type { Keys } from "../../settings/keys.ts";
import { type OmpOptions, THINKING_WORDS, type ThinkingWord } from "./command_line.ts";

/** What is not known of a model is told as this; hosts take no null. */
const USUAL = { contextWindow: 128_000, maxTokens: 8192 };
const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** Names of models that take images; of others it is not known. */
const SEEING =
  /gpt-4o|gpt-4\.1|gpt-[5-9]|\bo[34]\b|claude|gemini|grok-[4-9]|pixtral|llava|vision|-vl\b|\bvl\b/i;

export function seesImages({ id }: Pick<Model, "id">): boolean {
  return SEEING.test(id);
}

export type ModelCard = { readonly [key: string]: Json } & {
  readonly id: string;
  readonly provider: string;
  readonly contextWindow: number;
};

export function describeModel({ id, name, contextTokens, price }: Model): ModelCard {
  const provider = providerOf(id);
  const cost = price === undefined ? NO_COST : costOf(price);
  return {
    id: name,
    name,
    api: "openai-completions",
    provider,
    baseUrl: "",
    reasoning: true,
    input: seesImages({ id }) ? ["text", "image"] : ["text"],
    cost,
    contextWindow: contextTokens ?? USUAL.contextWindow,
    maxTokens: USUAL.maxTokens,
    thinking: { mode: "effort", efforts: THINKING_WORDS.slice(1) },
  };
}

/** Dollars for a million tokens; cached input costs as much as other input where nothing else is said. */
export function costOf({ input, output, cacheRead, cacheWrite }: NonNullable<Model["price"]>) {
  return { input, output, cacheRead: cacheRead ?? input, cacheWrite: cacheWrite ?? input };
}

export class Models {
  readonly #keys: Keys;
  readonly #given: GivenKey | undefined;
  readonly #app: App;
  readonly #scope: readonly string[] | undefined;
  /** `provider:id` of those that were used here, in their order. */
  readonly #seen: string[];

  constructor(
    app: App,
    { current, scope, keys, apiKey }: {
      readonly current: Model;
      /** From the command line: a key of the current model's provider. */
      readonly apiKey: string | undefined;
      readonly scope: OmpOptions["models"];
      /** The keys that are kept. */
      readonly keys: Keys;
    },
  ) {
    this.#keys = keys;
    this.#given = apiKey === undefined ? undefined : { provider: providerOf(current.id), apiKey };
    this.#app = app;
    this.#scope = scope?.map((id) => id.replace(/^([\w.-]+)\/(?=[^:]*$)/, "$1:"));
    this.#seen = current.id === "" ? [] : [current.id];
  }

  get isScoped(): boolean {
    return this.#scope !== undefined;
  }

  /** Throws Fault `no_model` for what cannot be used. */
  async open(id: string): Promise<Model> {
    const model = await this.#named(id);
    if (!this.#seen.includes(id)) this.#seen.push(id);
    return model;
  }

  /** Those whose provider can be asked. */
  async available(): Promise<Model[]> {
    const named = (await this.#askable()).flatMap(({ models }) => models.map(({ id }) => id));
    return await this.#usable([...new Set([...this.#scope ?? [], ...this.#seen, ...named])]);
  }

  /** The next of the list that the user gave; undefined where there is none. */
  async next(current: string): Promise<Model | undefined> {
    return this.isScoped ? await this.after(current) : undefined;
  }

  /** The next of those that are gone through; undefined when there is no other. */
  async after(current: string): Promise<Model | undefined> {
    const ring = await this.#usable(this.#scope ?? (await this.available()).map(({ id }) => id));
    if (ring.length < 2) return undefined;
    return ring[(ring.findIndex(({ id }) => id === current) + 1) % ring.length];
  }

  /** Whether the command line or the environment has the provider's key, or it is kept. */
  async hasKey({ name, keyVariable }: ProviderInfo): Promise<boolean> {
    if (keyVariable !== undefined || this.#given?.provider === name) return true;
    return await this.#keys.find(name) !== undefined;
  }

  async #askable(): Promise<ProviderInfo[]> {
    const providers = await this.#app.providers();
    const isAskable = await Promise.all(
      providers.map(async (provider) => !provider.needsKey || await this.hasKey(provider)),
    );
    return providers.filter((_, at) => isAskable[at]);
  }

  async #usable(ids: readonly string[]): Promise<Model[]> {
    const models = await Promise.all(ids.map((id) => this.#named(id).catch(() => undefined)));
    return models.filter((model) => model !== undefined);
  }

  async #named(id: string): Promise<Model> {
    return await this.#app.namedModel(id, this.#given?.provider === providerOf(id) ? this.#given : {});
  }
}

interface GivenKey {
  readonly provider: string;
  readonly apiKey: string;
}

function providerOf(id: string): string {
  return id.slice(0, id.indexOf(":"));
}

/** The engine has one level where the protocol has two. */
export function engineLevel(word: ThinkingWord) {
  return word === "xhigh" || word === "max" ? "maximum" : word;
}

export function wordOf(level: ReturnType<typeof engineLevel>): ThinkingWord {
  return level === "maximum" ? "max" : level;
}

export function nextLevel(word: ThinkingWord): ThinkingWord {
  return THINKING_WORDS[(THINKING_WORDS.indexOf(word) + 1) % THINKING_WORDS.length] ?? "off";
}
