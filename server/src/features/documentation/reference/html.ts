import { escapeHtml, highlightCode } from '../highlight.ts';
import type { MarkdownRenderer } from '../markdown-renderer.ts';
import type { Definition } from './document-reader.ts';

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
