/**
 * A connection's URL as what it says of sessions and the rest, which is about the server and which the engine reads.
 */

export interface DividedUrl {
  readonly url?: string;
  readonly options?: string;
  readonly applicationName?: string;
  readonly sessionKind?: string;
}

const NAMES: { readonly [parameter: string]: Exclude<keyof DividedUrl, "url"> } = {
  options: "options",
  application_name: "applicationName",
  target_session_attrs: "sessionKind",
};

/** Escapes that are none leave their parameter to the engine, which refuses it. */
export function divideUrl(url: string | undefined): DividedUrl {
  if (url === undefined) return {};
  // a password may hold a question mark
  const [, server = url, query = ""] = /^(.*)\?([^?@]*)$/s.exec(url) ?? [];
  const found: { -readonly [name in keyof DividedUrl]: DividedUrl[name] } = {};
  const others: string[] = [];
  for (const pair of query.split("&").filter((part) => part !== "")) {
    const [key = "", ...value] = pair.split("=");
    const name = Object.hasOwn(NAMES, key) ? NAMES[key] : undefined;
    const text = name && decoded(value.join("="));
    if (name && text !== undefined) found[name] = text;
    else others.push(pair);
  }
  return { ...found, url: others.length === 0 ? server : `${server}?${others.join("&")}` };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
