import { Marked, type Tokens } from 'marked';
import { escapeHtml } from './highlight.ts';
import { inLanguage, type Language } from './language.ts';

/** Links among our pages stay in the language of the reader. */
export function linked(href: string, language: Language): string {
  return /^\/docs(?:\/guide)?(?:#|$)/.test(href) ? inLanguage(href, language) : href;
}

/** HTML of descriptions in the documents, which are Markdown; what looks like HTML in them is text. */
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

  /** Paragraphs and lists. */
  block(text: string): string {
    return this.#marked.parse(text, { async: false });
  }

  /** One line. */
  line(text: string): string {
    return this.#marked.parseInline(text, { async: false });
  }
}
