import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type JSXAttribute,
  type JSXElement,
  type JSXFragment,
  type Node,
  parseSync,
  Visitor,
} from 'oxc-parser';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('./src', import.meta.url));
const find = (pattern: string) => globSync(pattern, { cwd: src }).sort();

type Entry = readonly string[];

const variables = (text: string) => [...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => name ?? '').sort();

const isEntry = (value: unknown): value is Entry =>
  Array.isArray(value) && [2, 3].includes(value.length) && value.every((text) => typeof text === 'string');

async function entriesOf(file: string): Promise<[key: string, entry: Entry][]> {
  const exported = Object.values(await import(pathToFileURL(`${src}/${file}`).href)) as unknown[];
  return exported.flatMap((value) =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).filter((pair): pair is [string, Entry] => isEntry(pair[1]))
      : [],
  );
}

/** Other words for terms of the glossary and the pages, such as 二次验证, rank, 总积分; and phrases that had to be decoded. */
const otherWords =
  /两步验证|two-step|[Pp]laces? and points|up a place|到课|再点一次$|给予|积分模板|总分|此设备|本设备|重新加载|[Ss]core (?:record|template)|told about changes|^Told about$|^Who has |filtered by isn’t/;

describe.each(find('**/{texts,*-texts}.ts').filter((file) => file !== 'i18n/texts.ts'))('%s', (file) => {
  it('has every text in both languages, with the same placeholders', async () => {
    const entries = await entriesOf(file);
    expect(entries.length).toBeGreaterThan(0);
    for (const [key, entry] of entries) {
      for (const text of entry) {
        expect(text.trim(), key).not.toBe('');
        expect(text, key).not.toMatch(otherWords);
      }
      // English for one may leave its number out: "one student".
      const [english = '', chinese = ''] = entry.slice(-2);
      expect(new Set(variables(chinese)), key).toEqual(new Set(variables(english)));
    }
  });
});

/** Attributes whose value people see or hear. */
const visible = new Set([
  ...['label', 'placeholder', 'title', 'aria-label', 'description', 'alt', 'message', 'hint'],
  ...['confirmLabel', 'error', 'nothingFoundMessage', 'aria-description', 'aria-roledescription'],
]);

const isAddress = (text: string) => /^\/[\w/-]*$/.test(text.trim());
const hasLetters = (text: string) => /\p{L}/u.test(text) && !isAddress(text);

/** Returns the texts that people see at this place, whichever way the code takes. */
function textsAt(node: Node | null): string[] {
  switch (node?.type) {
    case 'JSXText':
      return [node.value];
    case 'JSXExpressionContainer':
      return textsAt(node.expression);
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'TemplateLiteral':
      return node.quasis.map(({ value }) => value.cooked ?? '');
    case 'ConditionalExpression':
      return [...textsAt(node.consequent), ...textsAt(node.alternate)];
    case 'LogicalExpression':
      return [...(node.operator === '&&' ? [] : textsAt(node.left)), ...textsAt(node.right)];
    default:
      return [];
  }
}

function hardCoded(source: string): string[] {
  const { program, errors } = parseSync('page.tsx', source);
  if (errors.length > 0) throw new Error(errors[0]?.message);
  const shown: string[] = [];
  const addChildren = ({ children }: JSXElement | JSXFragment) => {
    for (const child of children) shown.push(...textsAt(child));
  };
  const addAttribute = ({ name, value }: JSXAttribute) => {
    if (visible.has(String(name.name))) shown.push(...textsAt(value));
  };
  const visited = { JSXElement: addChildren, JSXFragment: addChildren, JSXAttribute: addAttribute };
  new Visitor(visited).visit(program);
  return shown.filter(hasLetters).map((text) => text.trim());
}

describe('source files of pages', () => {
  it('contain no hard-coded text', () => {
    const offences = find('**/*.tsx').flatMap((file) =>
      hardCoded(readFileSync(`${src}/${file}`, 'utf8')).map((text) => `${file}: ${text}`),
    );
    expect(offences).toEqual([]);
  });

  it('are reported by this check if they contain hard-coded text', () => {
    expect(hardCoded('<p>Hello</p>')).toEqual(['Hello']);
    expect(hardCoded("<p>{'Hello'}</p>")).toEqual(['Hello']);
    expect(hardCoded('<p>你好</p>')).toEqual(['你好']);
    expect(hardCoded('<Input label="Name" />')).toEqual(['Name']);
    expect(hardCoded("<Input placeholder={'Name'} />")).toEqual(['Name']);
    expect(hardCoded("<p title={late ? 'Late' : t('x')}>{late && 'Late'}</p>")).toEqual(['Late', 'Late']);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a page
    expect(hardCoded('<p className={`a ${b}`}>{t("x")} · 3 %</p>')).toEqual([]);
    expect(hardCoded('<Button variant="default" size="xs">{c("save")}</Button>')).toEqual([]);
  });
});
