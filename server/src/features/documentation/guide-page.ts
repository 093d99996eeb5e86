import { Marked, type Tokens } from 'marked';
import { escapeHtml, highlightCode } from './highlight.ts';
import type { Language } from './language.ts';
import { addLanguageToLink } from './markdown-renderer.ts';
import { renderPage } from './page-shell.ts';
import { pageTexts } from './page-texts.ts';

interface Heading {
  readonly id: string;
  readonly depth: number;
  readonly html: string;
}

/** Returns HTML as the Markdown has it, so pass only our own documents. @param original supplies the heading ids of both languages */
export function renderGuidePage(
  markdown: string,
  language: Language = 'en',
  original: string = markdown,
  current: 'guide' | 'teachers' | 'oneroster' = 'guide',
): string {
  const texts = pageTexts[language];
  const headings: Heading[] = [];
  const headingIds = headingIdsOf(original);
  const translatedIds = headingIdsOf(markdown);
  // A translated file links to its own headings; maps these links to the ids of the original.
  const translateFragment = (href: string) =>
    href.startsWith('#') ? `#${headingIds[translatedIds.indexOf(href.slice(1))] ?? href.slice(1)}` : href;
  const marked = new Marked({
    renderer: {
      link({ href, tokens }: Tokens.Link): string {
        return `<a href="${escapeHtml(addLanguageToLink(translateFragment(href), language))}">${this.parser.parseInline(tokens)}</a>`;
      },
      heading({ tokens, depth }: Tokens.Heading): string {
        const html = this.parser.parseInline(tokens);
        const id = headingIds[headings.length];
        if (id === undefined) throw new Error('The guide has a heading that its original does not have');
        headings.push({ id, depth, html });
        const link =
          depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a>`;
        return `<h${depth} id="${id}">${html}${link}</h${depth}>\n`;
      },
      code({ text, lang = '' }: Tokens.Code): string {
        const language = lang.split(/\s/, 1)[0] ?? '';
        const label = languageLabels[language] ?? language;
        // `tabindex` makes the scrollable code reachable by keyboard.
        return `<figure class="code" data-language="${escapeHtml(label)}"><pre tabindex="0"><code>${highlightCode(text, language)}</code></pre></figure>\n`;
      },
      table(token: Tokens.Table): string {
        const head = token.header.map(
          (cell) => `<th scope="col">${this.parser.parseInline(cell.tokens)}</th>`,
        );
        const rows = token.rows.map(
          (row) =>
            `<tr>${row.map((cell) => `<td>${this.parser.parseInline(cell.tokens)}</td>`).join('')}</tr>`,
        );
        const name = token.header.map((cell) => cell.text).filter((text) => text !== '');
        return `<div class="table" role="group" tabindex="0" aria-label="${texts.table}: ${escapeHtml(name.join(texts.comma))}"><table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>\n`;
      },
    },
  });
  const body = marked.parse(markdown, { async: false });
  const contents = renderContents(headings);
  return renderPage({
    title: texts[current],
    description: texts[`${current}Description`],
    language,
    current,
    stylesheets: ['/docs/assets/guide.css'],
    scripts: ['/docs/assets/copy.js', '/docs/assets/guide.js'],
    content: `<div class="guide" data-copy="${texts.copy}" data-copied="${texts.copied}" data-copy-block="${texts.copyBlock}">
<nav class="contents" aria-label="${texts.contents}">${contents}</nav>
<main id="content" tabindex="-1">
<details class="contents-small"><summary>${texts.onThisPage}</summary>${contents}</details>
<article>
${body}</article>
</main>
</div>`,
  });
}

const languageLabels: Readonly<Record<string, string>> = {
  bash: 'Shell',
  sh: 'Shell',
  ts: 'TypeScript',
  json: 'JSON',
};

function renderContents(headings: readonly Heading[]): string {
  const link = ({ id, html }: Heading) => `<a href="#${id}">${html.replace(/<\/?a\b[^>]*>/g, '')}</a>`;
  const chapters: { chapter: Heading; sections: Heading[] }[] = [];
  for (const heading of headings) {
    if (heading.depth === 2) chapters.push({ chapter: heading, sections: [] });
    if (heading.depth === 3) chapters.at(-1)?.sections.push(heading);
  }
  const items = chapters.map(({ chapter, sections }) => {
    const nested = sections.map((section) => `<li>${link(section)}</li>`).join('');
    return `<li>${link(chapter)}${nested && `<ul>${nested}</ul>`}</li>`;
  });
  return `<ul>${items.join('\n')}</ul>`;
}

function headingIdsOf(markdown: string): string[] {
  const taken = new Map<string, number>();
  return new Marked()
    .lexer(markdown)
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map(({ text }) => uniqueSlug(slugOf(text), taken));
}

function slugOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['section'];
  return words.join('-');
}

function uniqueSlug(slug: string, taken: Map<string, number>): string {
  const uses = (taken.get(slug) ?? 0) + 1;
  taken.set(slug, uses);
  return uses === 1 ? slug : `${slug}-${uses}`;
}
