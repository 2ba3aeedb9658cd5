/**
 * The address in OLLAMA_HOST, read as Ollama itself reads it.
 */

/**
 * Scheme, port and path may be missing, and a server's 0.0.0.0 is this machine. What is no address is given back as it is.
 */
export function ollamaAddress(value: string): string {
  const url = URL.parse(value.includes("://") ? value : `http://${value}`);
  if (!url) return value;
  if (!value.includes("://") && url.port === "" && !/:80(\/|$)/.test(value)) url.port = "11434";
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.pathname === "/") url.pathname = "/v1";
  return url.href;
}
