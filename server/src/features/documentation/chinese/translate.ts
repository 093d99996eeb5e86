import type { Json } from '../openapi-schemas.ts';
import { changesInChinese } from './changes.ts';
import { errorsInChinese } from './errors.ts';
import { fieldsInChinese } from './fields.ts';
import { operationsInChinese } from './operations.ts';
import { webhooksInChinese } from './webhooks.ts';

/** Sentences of the external document and their Chinese translations. `{}` stands for one `code` span. */
export const catalogue: Readonly<Record<string, string>> = {
  ...operationsInChinese,
  ...fieldsInChinese,
  ...changesInChinese,
  ...webhooksInChinese,
  ...errorsInChinese,
};

/**
 * Translates each sentence of titles and descriptions. A changed English sentence needs a new translation.
 * @param missed called with each sentence without a translation
 * @param used called with each catalogue entry used
 */
export function inChinese<T>(
  document: T,
  missed: (sentence: string) => void = () => {},
  used: (sentence: string) => void = () => {},
): T {
  const sentence = (english: string): string => {
    if (!/[a-z]/.test(english.replace(codeSpan, ''))) return english;
    const [, open = '', bare = '', close = ''] = /^(\*\*)?(.*?)(\*\*)?$/.exec(english) ?? [];
    const spans = bare.match(codeSpan) ?? [];
    const found = [bare, bare.replace(codeSpan, '{}')].find((key) => Object.hasOwn(catalogue, key));
    if (found === undefined) {
      missed(bare);
      return english;
    }
    used(found);
    let place = 0;
    const chinese = catalogue[found] as string;
    return open + (found === bare ? chinese : chinese.replaceAll('{}', () => spans[place++] ?? '')) + close;
  };
  const text = (english: string) => paragraphsOf(english).map(inSentences).join('\n\n');
  const inSentences = (paragraph: string) =>
    linesOf(paragraph)
      .map((line) => {
        const [, start = '', rest = ''] = /^((?:- )?(?:\*\*\d+ \w+\*\*: )?)(.*)$/.exec(line) ?? [];
        return start.replace('**: ', '**：') + joined(sentencesOf(rest).map(sentence));
      })
      .join('\n');
  // Addresses contain the name of a chapter, so the Chinese name goes to `x-displayName`, which other viewers know.
  const tag = (chapter: unknown) =>
    typeof chapter === 'string'
      ? chapter
      : { ...(walk(chapter) as Json), 'x-displayName': sentence((chapter as { name: string }).name) };
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value as Json).map(([key, part]) => {
        if (key === 'tags') return [key, (part as unknown[]).map(tag)];
        if (typeof part === 'string') return [key, prose.has(key) ? text(part) : part];
        // Examples show data, which is not translated.
        const isExample = key === 'example' || key === 'value' || (key === 'examples' && Array.isArray(part));
        return [key, isExample ? part : walk(part)];
      }),
    );
  };
  return walk(document) as T;
}

const prose: ReadonlySet<string> = new Set(['summary', 'description']);
const codeSpan = /`[^`]*`/g;

const paragraphsOf = (text: string) => text.split(/\n\n+/);

function linesOf(paragraph: string): string[] {
  return paragraph.split(/\n(?=- )/).map((line) => line.replace(/\s*\n\s*/g, ' '));
}

function sentencesOf(line: string): string[] {
  return line.split(/(?<=[.!?](?:\*\*)?)\s+(?=[A-Z0-9`"(*[])/);
}

/** Joins Chinese sentences without spaces; after other text Markdown needs a space. */
function joined(sentences: readonly string[]): string {
  return sentences.reduce(
    (before, next) => (/[。！？；：]$/.test(before) || !before ? before + next : `${before} ${next}`),
    '',
  );
}
