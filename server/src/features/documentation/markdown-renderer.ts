import { Marked, type Tokens } from 'marked';
import { escapeHtml, highlightCode } from './highlight.ts';
import { addLanguage, type Language } from './language.ts';
import type { Definition } from './reference/document-reader.ts';

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

export function definitionList(definitions: readonly Definition[], markdown: MarkdownRenderer): string {
  const items = definitions.map(
    ({ title, text }) =>
      `<div><dt><code>${escapeHtml(title)}</code></dt><dd>${markdown.renderInline(text)}</dd></div>`,
  );
  return `<dl class="failures">${items.join('\n')}</dl>`;
}

export function codeBlock(name: string, code: string, language: string): string {
  return `<figure class="code" data-language="${escapeHtml(name)}"><figcaption>${escapeHtml(name)}</figcaption><pre tabindex="0"><code>${highlightCode(code, language)}</code></pre></figure>`;
}
