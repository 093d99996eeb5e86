import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { errorCodes, externalOperations, permissions } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { splitGuideBlocks } from '../../../test/guide-blocks.ts';
import { externalApiDocument } from './external-document.ts';
import { renderGuidePage } from './guide-page.ts';
import { highlightCode } from './highlight.ts';
import { buildOpenApi } from './openapi.ts';
import { PublishedDocument } from './testing/published-document.ts';

const read = (name: string) => readFile(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8');
const document = new PublishedDocument(
  buildOpenApi(externalApiDocument, externalOperations, { version: '1', origin: '', keyLengthMax: 128 }),
);
const guide = await read('integrators-guide.md');
const chineseGuide = await read('integrators-guide.zh.md');
const teachersGuide = await read('teachers-guide.md');
const chineseTeachersGuide = await read('teachers-guide.zh.md');

it('the page of a guide gives every heading a unique id, and lists chapters twice, for wide and narrow screens', () => {
  const html = renderGuidePage('# Title\n\n## One & two\n\n### Part `x`\n\n## One & two\n');
  for (const id of ['title', 'one-two', 'part-x', 'one-two-2']) {
    expect(html.match(new RegExp(` id="${id}"`, 'g'))).toHaveLength(1);
  }
  expect(html.match(/<li><a href="#one-two">One &amp; two<\/a><ul><li><a href="#part-x">/g)).toHaveLength(2);
});

it('wide tables and code of a guide can be scrolled by keyboard, and code stays as written', () => {
  const code = '```bash\necho "<b>" # $HOME & more\n```\n';
  const html = renderGuidePage(`# T\n\n| a | b |\n|---|---|\n| 1 | \`2\` |\n\n${code}`);
  expect(html).toContain('<div class="table" role="group" tabindex="0" aria-label="Table: a, b">');
  expect(html).toContain('<td><code>2</code></td>');
  const text = /<pre tabindex="0"><code>([\s\S]*?)<\/code>/.exec(html)?.[1]?.replace(/<\/?span[^>]*>/g, '');
  expect(text).toBe('echo &quot;&lt;b&gt;&quot; # $HOME &amp; more');
});

it.each([
  ['bash', 'curl "$x" # say <no>', '<span class="hljs-comment"># say &lt;no&gt;</span>'],
  ['sh', 'export A=1', '<span class="hljs-built_in">export</span>'],
  ['ts', "const a = `'x`; // <y>", '<span class="hljs-comment">// &lt;y&gt;</span>'],
  ['json', '{ "a": "b", "c": null }', '<span class="hljs-keyword">null</span>'],
  ['text', 'a < b', 'a &lt; b'],
])('highlightCode highlights %s without changing it', (language, code, part) => {
  const html = highlightCode(code, language);
  expect(html).toContain(part);
  const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#x27': "'" };
  const text = html.replace(/<[^>]*>/g, '').replace(/&([^;]+);/g, (_, name) => entities[name] ?? '?');
  expect(text).toBe(code);
});

describe.each([
  ['English', guide],
  ['Chinese', chineseGuide],
])('Integrator’s guide in %s', (_language, guide) => {
  it('explains every error code and permission, and names only existing operations', () => {
    for (const code of Object.keys(errorCodes)) expect(guide).toContain(`| \`${code}\` |`);
    for (const { name } of permissions) expect(guide).toContain(`| \`${name}\` |`);
    const known = Object.values(externalOperations).map(({ method, path }) => `${method} ${path}`);
    const named = [...guide.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`]*)`/g)].map(([, name]) => name);
    expect(named.filter((name) => !known.includes(name ?? ''))).toEqual([]);
  });

  it('shows bash, sh, ts and valid JSON, with webhook messages that match the OpenAPI document', () => {
    const blocks = splitGuideBlocks(guide);
    expect([...new Set(blocks.map(({ language }) => language))].sort()).toEqual(['bash', 'json', 'sh', 'ts']);
    const messages = blocks
      .filter(({ language }) => language === 'json')
      .map(({ code }) => JSON.parse(code))
      .filter(({ timestamp }) => timestamp !== undefined);
    expect(messages).not.toEqual([]);
    for (const message of messages) expect(document.isMessage(message)).toBe(true);
  });
});

const shape = (markdown: string) =>
  markdown
    .replace(/^```[\s\S]*?^```/gm, '')
    .split('\n')
    .filter((line) => /^(?:#+ |\||- |\d+\. )/.test(line))
    .map((line) =>
      line.replace(/^(#+ |- |\d+\. ).*/, '$1').replace(/[^|]/g, (sign) => (/^[#-]/.test(line) ? sign : '')),
    );
const ids = (html: string) => [...html.matchAll(/<h[1-3] id="([^"]+)"/g)].map(([, id]) => id);

const codeOf = (markdown: string) =>
  splitGuideBlocks(markdown).map(({ language, code }) => [
    language,
    code.replace(/^\s*(?:#|\/\/|\/\*\*).*\n/gm, ''),
  ]);

it('the Chinese guide has the same commands, chapters, lists, tables and anchors as the English guide', () => {
  expect(codeOf(chineseGuide)).toEqual(codeOf(guide));
  expect(shape(chineseGuide)).toEqual(shape(guide));
  expect(ids(renderGuidePage(chineseGuide, 'zh', guide))).toEqual(ids(renderGuidePage(guide)));
  expect(() => renderGuidePage(`${guide}\n## More\n`, 'zh', guide)).toThrow('original');
});

it.each([
  ['the page', renderGuidePage(chineseGuide, 'zh', guide)],
  ['the file', renderGuidePage(chineseGuide)],
])('the Chinese guide links only to sections that %s has', (_place, html) => {
  const linked = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(linked.filter((id) => !html.includes(` id="${id}"`))).toEqual([]);
});

it('the teacher’s guide has the same chapters, lists, tables and anchors in both languages', () => {
  expect(shape(chineseTeachersGuide)).toEqual(shape(teachersGuide));
  const chinese = renderGuidePage(chineseTeachersGuide, 'zh', teachersGuide, 'teachers');
  expect(ids(chinese)).toEqual(ids(renderGuidePage(teachersGuide, 'en', teachersGuide, 'teachers')));
});

it.each([
  ['English', teachersGuide],
  ['Chinese', chineseTeachersGuide],
])('the teacher’s guide quotes only texts that the pages show, in %s', async (_language, guide) => {
  const source = new URL('../../../../web/src/', import.meta.url);
  const shown = new Set<string>();
  for await (const name of glob('**/*texts.ts', { cwd: fileURLToPath(source) })) {
    const texts = await readFile(new URL(name, source), 'utf8');
    for (const [, text = ''] of texts.matchAll(/'([^'\n]+)'/g)) shown.add(text);
  }
  const quoted = [...guide.matchAll(/“([^”]+)”/g)].map(([, text = '']) => text);
  expect(quoted.length).toBeGreaterThan(20);
  expect(quoted.filter((text) => !shown.has(text))).toEqual([]);
});
