/**
 * The address in AZURE_OPENAI_ENDPOINT, which Azure's portal shows without a path.
 */

/** The API that needs no version in its address. What is no address is given back as it is. */
export function azureAddress(value: string): string {
  const url = URL.parse(value);
  if (!url) return value;
  if (url.pathname === "/") url.pathname = "/openai/v1";
  return url.href;
}
