import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseSync } from 'oxc-parser';
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

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function hardCoded(source: string): string[] {
  const { program, errors } = parseSync('page.tsx', source);
  if (errors.length > 0) throw new Error(errors[0]?.message);
  const found: string[] = [];
  walk(program as unknown as Node, false, (text) => {
    if (hasLetters(text)) found.push(text.trim());
  });
  return found;
}

/** @param shown whether a literal at this place is seen by people */
function walk(node: Node, shown: boolean, report: (text: string) => void): void {
  const into = (value: unknown, nowShown: boolean) => {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, nowShown, report);
    }
  };
  switch (node.type) {
    case 'JSXText':
      report(String(node.value));
      break;
    case 'Literal':
      if (shown && typeof node.value === 'string') report(node.value);
      break;
    case 'TemplateElement':
      if (shown) report((node.value as { cooked: string | null }).cooked ?? '');
      break;
    case 'TemplateLiteral':
      into(node.quasis, shown);
      into(node.expressions, false);
      break;
    case 'JSXAttribute':
      into(node.value, visible.has(String((node.name as Node).name)));
      break;
    case 'JSXElement':
    case 'JSXFragment':
      into(node.openingElement, false);
      into(node.children, true);
      break;
    case 'JSXExpressionContainer':
      into(node.expression, shown);
      break;
    case 'ConditionalExpression':
      into(node.test, false);
      into(node.consequent, shown);
      into(node.alternate, shown);
      break;
    case 'LogicalExpression':
      into(node.left, node.operator !== '&&' && shown);
      into(node.right, shown);
      break;
    default:
      for (const value of Object.values(node)) into(value, false);
  }
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
