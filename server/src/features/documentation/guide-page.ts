import { Marked, type Tokens } from 'marked';
import { escapeHtml, highlighted } from './highlight.ts';
import { htmlOf } from './page-shell.ts';

interface Heading {
  readonly id: string;
  readonly depth: number;
  readonly html: string;
}

/**
 * The guide as a page: the Markdown with a table of contents beside it.
 *
 * The Markdown is ours, a file of the product. It is not made safe: never feed it text from outside.
 */
export function guidePage(markdown: string): string {
  const headings: Heading[] = [];
  const taken = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        const html = this.parser.parseInline(tokens);
        const id = unique(slugOf(text), taken);
        headings.push({ id, depth, html });
        // The title needs no link to itself.
        const link =
          depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a>`;
        return `<h${depth} id="${id}">${html}${link}</h${depth}>\n`;
      },
      code({ text, lang = '' }: Tokens.Code): string {
        const language = lang.split(/\s/, 1)[0] ?? '';
        const label = labels[language] ?? language;
        // Scrollable parts must be reachable by keyboard.
        return `<figure class="code" data-language="${escapeHtml(label)}"><pre tabindex="0"><code>${highlighted(text, language)}</code></pre></figure>\n`;
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
        return `<div class="table" role="group" tabindex="0" aria-label="Table: ${escapeHtml(name.join(', '))}"><table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>\n`;
      },
    },
  });
  const body = marked.parse(markdown, { async: false });
  const title = headings.find(({ depth }) => depth === 1);
  if (title === undefined) throw new Error('The guide has no title');
  const contents = contentsOf(headings);
  return htmlOf({
    title: 'Guide',
    description:
      'How to read and write class scores from another system, from the first call to every error.',
    current: 'guide',
    stylesheets: ['/docs/assets/guide.css', '/docs/assets/guide-contents.css'],
    scripts: ['/docs/assets/guide.js'],
    content: `<div class="guide">
<nav class="contents" aria-label="Contents">${contents}</nav>
<main id="content" tabindex="-1">
<details class="contents-small"><summary>On this page</summary>${contents}</details>
<article>
${body}</article>
</main>
</div>`,
  });
}

/** What stands in the corner of a code block. */
const labels: Readonly<Record<string, string>> = {
  bash: 'Shell',
  sh: 'Shell',
  ts: 'TypeScript',
  json: 'JSON',
};

/** Chapters with their sections, as nested lists of links. */
function contentsOf(headings: readonly Heading[]): string {
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

/** The text of a heading as a fragment of an address: lower case, words joined by hyphens. */
function slugOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['section'];
  return words.join('-');
}

function unique(slug: string, taken: Map<string, number>): string {
  const uses = (taken.get(slug) ?? 0) + 1;
  taken.set(slug, uses);
  return uses === 1 ? slug : `${slug}-${uses}`;
}
