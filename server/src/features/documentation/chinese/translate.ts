import type { Json } from '../openapi-schemas.ts';
import { errorsInChinese } from './errors.ts';
import { fieldsInChinese } from './fields.ts';
import { operationsInChinese } from './operations.ts';
import { changesInChinese, webhooksInChinese } from './webhooks.ts';

/** Maps English sentences of the external document to Chinese. `{}` stands for one `code` span. */
export const catalogue: Readonly<Record<string, string>> = {
  ...operationsInChinese,
  ...fieldsInChinese,
  ...changesInChinese,
  ...webhooksInChinese,
  ...errorsInChinese,
};

/** Translates sentence by sentence. A changed English sentence needs a new translation. */
export function translateToChinese<T>(
  document: T,
  onMissing: (sentence: string) => void = () => {},
  onUsed: (sentence: string) => void = () => {},
): T {
  const translateSentence = (english: string): string => {
    if (!/[a-z]/.test(english.replace(codeSpan, ''))) return english;
    const [, open = '', bare = '', close = ''] = /^(\*\*)?(.*?)(\*\*)?$/.exec(english) ?? [];
    const spans = bare.match(codeSpan) ?? [];
    const found = [bare, bare.replace(codeSpan, '{}')].find((key) => Object.hasOwn(catalogue, key));
    if (found === undefined) {
      onMissing(bare);
      return english;
    }
    onUsed(found);
    let spanIndex = 0;
    const chinese = catalogue[found] as string;
    return (
      open + (found === bare ? chinese : chinese.replaceAll('{}', () => spans[spanIndex++] ?? '')) + close
    );
  };
  const translateText = (english: string) => paragraphsOf(english).map(translateParagraph).join('\n\n');
  const translateParagraph = (paragraph: string) =>
    linesOf(paragraph)
      .map((line) => {
        const [, start = '', rest = ''] = /^((?:- )?(?:\*\*\d+ \w+\*\*: )?)(.*)$/.exec(line) ?? [];
        return start.replace('**: ', '**：') + joinSentences(sentencesOf(rest).map(translateSentence));
      })
      .join('\n');
  // Keeps the English name of a chapter, because URLs contain it. Some viewers show `x-displayName` instead.
  const translateTag = (chapter: unknown) =>
    typeof chapter === 'string'
      ? chapter
      : {
          ...(translateValue(chapter) as Json),
          'x-displayName': translateSentence((chapter as { name: string }).name),
        };
  const translateValue = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(translateValue);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value as Json).map(([key, part]) => {
        if (key === 'tags') return [key, (part as unknown[]).map(translateTag)];
        if (typeof part === 'string') return [key, translatedKeys.has(key) ? translateText(part) : part];
        const isExample = key === 'example' || key === 'value' || (key === 'examples' && Array.isArray(part));
        return [key, isExample ? part : translateValue(part)];
      }),
    );
  };
  return translateValue(document) as T;
}

const translatedKeys: ReadonlySet<string> = new Set(['summary', 'description']);
const codeSpan = /`[^`]*`/g;

const paragraphsOf = (text: string) => text.split(/\n\n+/);

function linesOf(paragraph: string): string[] {
  return paragraph.split(/\n(?=- )/).map((line) => line.replace(/\s*\n\s*/g, ' '));
}

function sentencesOf(line: string): string[] {
  return line.split(/(?<=[.!?](?:\*\*)?)\s+(?=[A-Z0-9`"(*[])/);
}

/** Joins Chinese sentences without spaces; after other text Markdown needs a space. */
function joinSentences(sentences: readonly string[]): string {
  return sentences.reduce(
    (before, next) => (/[。！？；：]$/.test(before) || !before ? before + next : `${before} ${next}`),
    '',
  );
}
