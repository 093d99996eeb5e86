import { Marked, type Tokens } from 'marked';
import { escapeHtml } from './highlight.ts';
import { addLanguage, type Language } from './language.ts';

export function addLanguageToLink(href: string, language: Language): string {
  return /^\/docs(?:\/guide)?(?:#|$)/.test(href) ? addLanguage(href, language) : href;
}

export class MarkdownRenderer {
  readonly #marked: Marked;

  constructor(language: Language) {
    this.#marked = new Marked({
      renderer: {
        html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
        link({ href, tokens }: Tokens.Link): string {
          return `<a href="${escapeHtml(addLanguageToLink(href, language))}">${this.parser.parseInline(tokens)}</a>`;
        },
      },
    });
  }

  renderBlock(text: string): string {
    return this.#marked.parse(text, { async: false });
  }

  renderInline(text: string): string {
    return this.#marked.parseInline(text, { async: false });
  }
}
