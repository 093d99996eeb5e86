import { Marked, type Tokens } from 'marked';
import { escapeHtml } from './highlight.ts';
import { inLanguage, type Language } from './language.ts';

/** Adds the reader's language to links between our pages. */
export function linked(href: string, language: Language): string {
  return /^\/docs(?:\/guide)?(?:#|$)/.test(href) ? inLanguage(href, language) : href;
}

export class Prose {
  readonly #marked: Marked;

  constructor(language: Language) {
    this.#marked = new Marked({
      renderer: {
        html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
        link({ href, tokens }: Tokens.Link): string {
          return `<a href="${escapeHtml(linked(href, language))}">${this.parser.parseInline(tokens)}</a>`;
        },
      },
    });
  }

  block(text: string): string {
    return this.#marked.parse(text, { async: false });
  }

  line(text: string): string {
    return this.#marked.parseInline(text, { async: false });
  }
}
