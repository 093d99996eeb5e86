import { readFile } from 'node:fs/promises';
import { errorCodes, externalOperations, permissions } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { guideBlocks } from './guide-blocks.ts';
import { guidePage } from './guide-page.ts';
import { highlighted } from './highlight.ts';

const guide = await readFile(new URL('../../../../docs/integrators-guide.md', import.meta.url), 'utf8');

describe('guidePage', () => {
  it('gives every heading an address and lists chapters and sections twice, for wide and narrow screens', () => {
    const html = guidePage('# Title\n\n## One & two\n\n### Part `x`\n\n## One & two\n');
    for (const id of ['title', 'one-two', 'part-x', 'one-two-2']) {
      expect(html.match(new RegExp(` id="${id}"`, 'g'))).toHaveLength(1);
    }
    expect(html.match(/<li><a href="#one-two">One &amp; two<\/a><ul><li><a href="#part-x">/g)).toHaveLength(
      2,
    );
  });

  it('refuses a page without a title', () => {
    expect(() => guidePage('text')).toThrow('title');
  });

  it('shows code as it is written', () => {
    const html = guidePage('# T\n\n```bash\necho "<b>" # $HOME & more\n```\n');
    const text = /<code>([\s\S]*?)<\/code>/.exec(html)?.[1]?.replace(/<\/?span[^>]*>/g, '');
    expect(text).toBe('echo &quot;&lt;b&gt;&quot; # $HOME &amp; more');
  });

  it('lets wide tables and code be scrolled by keyboard', () => {
    const html = guidePage('# T\n\n| a | b |\n|---|---|\n| 1 | `2` |\n\n```ts\n1\n```\n');
    expect(html).toContain('<div class="table" role="group" tabindex="0" aria-label="Table: a, b">');
    expect(html).toContain('<td><code>2</code></td>');
    expect(html).toContain('<pre tabindex="0">');
  });
});

describe('highlighted', () => {
  it.each([
    ['bash', 'curl "$x" # say <no>', '<span class="hljs-comment"># say &lt;no&gt;</span>'],
    ['sh', 'export A=1', '<span class="hljs-built_in">export</span>'],
    ['ts', "const a = `'x`; // <y>", '<span class="hljs-comment">// &lt;y&gt;</span>'],
    ['json', '{ "a": "b", "c": null }', '<span class="hljs-keyword">null</span>'],
    ['text', 'a < b', 'a &lt; b'],
  ])('marks up %s without changing it', (language, code, part) => {
    const html = highlighted(code, language);
    expect(html).toContain(part);
    const entities: Record<string, string> = {
      lt: '<',
      gt: '>',
      amp: '&',
      quot: '"',
      '#39': "'",
      '#x27': "'",
    };
    const text = html.replace(/<[^>]*>/g, '').replace(/&([^;]+);/g, (_, name) => entities[name] ?? '?');
    expect(text).toBe(code);
  });
});

describe("the integrator's guide", () => {
  it('explains every error code', () => {
    for (const code of Object.keys(errorCodes)) expect(guide).toContain(`| \`${code}\` |`);
  });

  it('explains every permission', () => {
    for (const { name } of permissions) expect(guide).toContain(`| \`${name}\` |`);
  });

  it('names only operations that exist', () => {
    const known = Object.values(externalOperations).map(({ method, path }) => `${method} ${path}`);
    const named = [...guide.matchAll(/`((?:GET|POST|PATCH|DELETE) \/[^`]*)`/g)].map(([, name]) => name);
    expect(named.filter((name) => !known.includes(name ?? ''))).toEqual([]);
  });

  it('shows answers that are JSON', () => {
    for (const { language, code } of guideBlocks(guide)) {
      if (language === 'json') expect(() => JSON.parse(code)).not.toThrow();
    }
  });

  it('has blocks in the languages that are run or only read, and in no other', () => {
    const languages = new Set(guideBlocks(guide).map(({ language }) => language));
    expect([...languages].sort()).toEqual(['bash', 'json', 'sh', 'ts']);
  });

  it('names the addresses of the reference and the document', () => {
    expect(guidePage(guide)).toContain('href="/api/v1/openapi.json"');
  });
});
