/**
 * Text and Markdown as HTML in which nothing of theirs is markup, a script or an address that is loaded.
 */
import { Marked, type Tokens } from "marked";

const ESCAPES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.toWellFormed().replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}

/** HTML in the Markdown is shown as text, pictures as their words; links lead only to web and mail addresses. */
export async function markdownHtml(markdown: string): Promise<string> {
  const marked = new Marked({
    renderer: {
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
      image: ({ text }: Tokens.Image) => escapeHtml(text),
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens);
        if (!/^(?:https?|mailto):/i.test(href)) return text;
        return `<a href="${escapeHtml(href)}" rel="noopener noreferrer">${text}</a>`;
      },
    },
  });
  return await marked.parse(markdown.toWellFormed());
}
