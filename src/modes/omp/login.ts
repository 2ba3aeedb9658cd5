/**
 * Keys that the person at the host gives: asked for in a dialog, kept where `saber auth setup` keeps them, never told to
 * anybody.
 */
import { Fault } from "../../base/fault.ts";
import { command, type Commands } from "../../wire/dispatch.ts";
import type { Desk } from "./desk.ts";
import { Login, Nothing } from "./schemas.ts";

/** Where providers give keys out. */
const KEY_PAGES: { readonly [provider: string]: string } = {
  anthropic: "https://console.anthropic.com/settings/keys",
  deepseek: "https://platform.deepseek.com/api_keys",
  google: "https://aistudio.google.com/apikey",
  groq: "https://console.groq.com/keys",
  mistral: "https://console.mistral.ai/api-keys",
  openai: "https://platform.openai.com/api-keys",
  openrouter: "https://openrouter.ai/settings/keys",
  xai: "https://console.x.ai",
};
/** How long a person may look for a key. */
const PATIENCE_MS = 600_000;

/** One login at a time. */
export class Logins {
  #open: AbortController | undefined;

  /** Throws Fault `busy` for a second one. */
  async one(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#open) throw new Fault("busy", "Login already in progress");
    const open = new AbortController();
    this.#open = open;
    try {
      await work(open.signal);
    } finally {
      this.#open = undefined;
    }
  }

  /** Ends one that goes on. */
  stop(): void {
    this.#open?.abort();
  }
}

export function loginCommands({ app, keys, models, dialogs, logins }: Desk): Commands {
  return {
    get_login_providers: command({
      params: Nothing,
      run: async () => {
        const providers = (await app.providers()).filter(({ keyVariables }) => keyVariables.length > 0);
        return {
          providers: await Promise.all(providers.map(async (provider) => ({
            id: provider.name,
            name: provider.name,
            available: true,
            authenticated: await models.hasKey(provider),
          }))),
        };
      },
    }),
    login: command({
      params: Login,
      lane: "urgent",
      run: async ({ providerId }) => {
        const providers = await app.providers();
        if (!providers.some(({ name, keyVariables }) => name === providerId && keyVariables.length > 0)) {
          throw new Fault("bad_request", `Unknown OAuth provider: ${providerId}`);
        }
        await logins.one(async (signal) => {
          const title = `API key for ${providerId}`;
          const url = KEY_PAGES[providerId];
          const instructions = `Make a key for ${providerId} on this page, and paste it into the dialog.`;
          if (url !== undefined) await dialogs.show("open_url", { url, instructions });
          const key = await dialogs.input(title, { timeoutMs: PATIENCE_MS, signal });
          if (!key?.trim()) throw new Fault("unavailable", "Login cancelled: no key was given.");
          await keys.save(providerId, key.trim());
          const message = `The key for ${providerId} is kept.`;
          await dialogs.show("notify", { message, notifyType: "info" });
        });
        return { providerId };
      },
    }),
  };
}
