import type { ListedStudent } from '@classledger/contract';
import { toHalfWidth } from '../../../i18n/letters.ts';
import {
  gradeNumber,
  type NamedClass,
  normalizeClassName,
  splitGradeAndClass,
} from '../../lists/class-names.ts';
import { removeNameBlanks } from '../../lists/normalize-text.ts';

/** The words that a pattern may contain in braces, in both languages. */
export const patternWords = {
  entry: { en: 'year', zh: '入学年份' },
  grade: { en: 'grade', zh: '年级' },
  class: { en: 'class', zh: '班级' },
  number: { en: 'number', zh: '序号' },
  first: { en: 'first', zh: '名' },
  last: { en: 'last', zh: '姓' },
  initial: { en: 'initial', zh: '名首字母' },
} as const;
type PatternWord = keyof typeof patternWords;

/** Patterns to choose from. The first suits names without Latin letters, the second Latin names. */
export const usernamePatterns = {
  entryClassNumber: '{entry}{class}{number}',
  firstLast: '{first}.{last}',
  gradeClassNumber: '{grade}{class}{number}',
  entryNumber: '{entry}{number4}',
  initialLast: '{initial}{last}',
} as const;

export const translatePattern = (pattern: string, language: 'en' | 'zh'): string =>
  pattern.replace(word, (all, name: string, width: string) => {
    const known = wordOf(name);
    return known ? `{${patternWords[known][language]}${width}}` : all;
  });

const word = /\{\s*([^{}\d]*?)\s*(\d*)\s*\}/g;

const wordOf = (name: string): PatternWord | null => {
  const said = name.toLowerCase();
  const all = Object.keys(patternWords) as PatternWord[];
  return (
    all.find((one) => one === said || patternWords[one].en === said || patternWords[one].zh === said) ?? null
  );
};

/** Returns the first unknown word or unpaired brace of a pattern; null if the pattern is valid. */
export function patternErrorOf(pattern: string): string | null {
  const unknown = [...pattern.matchAll(word)].find(([, name = '']) => wordOf(name) === null);
  return unknown?.[0] ?? /[{}]/.exec(pattern.replace(word, ''))?.[0] ?? null;
}

/** Letters that Unicode does not decompose into a base letter and an accent. */
const otherLetters: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' },
};

/** Transliterates Latin letters to ASCII in lower case, as José to jose. Other scripts stay. */
const toLatin = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => otherLetters[letter] ?? letter);

/** Returns first and last name in Latin letters, from "Anna Maria Lee" or "Lee, Anna". */
function latinName(name: string): { readonly first: string; readonly last: string } {
  const [before = '', after] = toLatin(name)
    .replace(/['’‘\-‐]/g, '')
    .split(/[,，]/);
  const wordsOf = (text: string) => text.match(/[a-z0-9]+/g) ?? [];
  const words = after === undefined ? wordsOf(before) : [...wordsOf(after), ...wordsOf(before)];
  return { first: words[0] ?? '', last: words.length > 1 ? (words.at(-1) ?? '') : '' };
}

export const areLatin = (names: readonly string[]): boolean =>
  names.filter((name) => latinName(name).last !== '').length * 2 > names.length;

/** Years of school before junior (初) and senior (高) school: 初一 is year 7, and 高一 is year 10. */
const yearsBefore: Readonly<Record<string, number>> = { 初: 6, 高: 9 };

/** Returns the year in which the school year begins. From July on, lists are made for the coming school year. */
export const schoolYearOf = (day: Date): number => day.getFullYear() - (day.getMonth() < 6 ? 1 : 0);

/** Returns the year in which the students of a grade entered primary, junior or senior school. */
function entryYear(gradeName: string, schoolYear: number): number {
  const grade = gradeNumber(gradeName);
  // 2029届 names the year of leaving, which does not tell the year of entry.
  if (!grade || gradeName.includes('届')) return schoolYear;
  if (grade.kind === '级') return grade.number;
  const year = grade.number + (yearsBefore[grade.kind] ?? 0);
  const first = year >= 10 && grade.kind !== 'year' ? 10 : year >= 7 ? 7 : 1;
  return schoolYear - Math.max(0, year - first);
}

function gradeText(gradeName: string): string {
  const grade = gradeNumber(gradeName);
  if (grade) return String(grade.number + (yearsBefore[grade.kind] ?? 0));
  return toLatin(gradeName).replace(/[^a-z0-9]/g, '');
}

/** Returns "03" for "3班" and "a" for "7A" of grade 7; empty if the class has neither digits nor Latin letters. */
function classText({ gradeName, className }: NamedClass): string {
  const name = splitGradeAndClass(className)?.className ?? className;
  const text = toLatin(normalizeClassName(name)).replace(/[^a-z0-9]/g, '');
  const grade = gradeText(gradeName);
  const own =
    text.startsWith(grade) && /^[a-z]/.test(text.slice(grade.length)) ? text.slice(grade.length) : text;
  return /^\d$/.test(own) ? `0${own}` : own;
}

/** Maps usernames that look alike to the same text: O and 0, l and 1, in any case. */
export const lookalikeKey = (username: string): string =>
  toHalfWidth(username).toLowerCase().replaceAll('o', '0').replace(/[il|]/g, '1');

export interface NamelessStudent extends NamedClass {
  readonly name: string;
}

interface ProposalOptions extends Pick<NamingOptions, 'pattern' | 'schoolYear'> {
  /** As returned by `lookalikeKey`. */
  readonly taken: ReadonlySet<string>;
}

/** Proposes usernames unlike each other and those in `taken`; an empty text if the pattern gives none. */
export function proposeUsernames(
  students: readonly NamelessStudent[],
  { pattern, schoolYear, taken }: ProposalOptions,
): string[] {
  const used = new Set(taken);
  const counts = new Map<string, number>();
  const parts = partsOf(pattern);
  const hasNumber = parts.some((part) => typeof part !== 'string' && part.word === 'number');
  const needsMore = parts.length > 1 || !hasNumber;
  const placeText = placeTexts(schoolYear);
  return students.map((student) => {
    const texts = { ...placeText(student), ...nameTexts(student.name) };
    const same = fillPattern(parts, texts, '');
    if (same === '' && needsMore) return '';
    for (let number = (counts.get(same) ?? 0) + 1; ; number++) {
      const counted = hasNumber
        ? fillPattern(parts, texts, String(number))
        : `${same}${number === 1 ? '' : number}`;
      if (used.has(lookalikeKey(counted))) continue;
      counts.set(same, number);
      used.add(lookalikeKey(counted));
      return counted;
    }
  });
}

type Part = string | { readonly word: PatternWord; readonly width: number };

function partsOf(pattern: string): Part[] {
  const text = toHalfWidth(pattern);
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: all, 1: name = '', 2: width, index } of text.matchAll(word)) {
    if (index > end) parts.push(text.slice(end, index));
    end = index + all.length;
    const known = wordOf(name);
    if (known) parts.push({ word: known, width: Math.min(Number(width), 10) });
  }
  return end < text.length ? [...parts, text.slice(end)] : parts;
}

type Texts = Readonly<Record<Exclude<PatternWord, 'number'>, string>>;

function nameTexts(name: string): Pick<Texts, 'first' | 'last' | 'initial'> {
  const { first, last } = latinName(name);
  return { first, last, initial: first.slice(0, 1) };
}

/** Returns a function that gives the texts of a class, cached because thousands of students share few classes. */
function placeTexts(schoolYear: number): (named: NamedClass) => Pick<Texts, 'entry' | 'grade' | 'class'> {
  const known = new Map<string, Pick<Texts, 'entry' | 'grade' | 'class'>>();
  return ({ gradeName, className }) => {
    const key = `${gradeName}\n${className}`;
    const grade = gradeName || (splitGradeAndClass(className)?.gradeName ?? '');
    const texts = known.get(key) ?? {
      entry: String(entryYear(grade, schoolYear)),
      grade: gradeText(grade),
      class: classText({ gradeName: grade, className }),
    };
    known.set(key, texts);
    return texts;
  };
}

function fillPattern(parts: readonly Part[], texts: Texts, number: string): string {
  const whole = parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if (part.word !== 'number') return texts[part.word];
      return number === '' ? '' : number.padStart(part.width || 2, '0');
    })
    .join('');
  // Drops separators around empty parts, as for a name of one word.
  return whole.replace(/([._-])[._-]+/g, '$1').replace(/^[._-]+|[._-]+$/g, '');
}

export interface NamingOptions {
  readonly pattern: string;
  readonly schoolYear: number;
  readonly students: readonly ListedStudent[];
  /** Proposed usernames that the server reported as taken. */
  readonly refused: ReadonlySet<string>;
}

export interface NamelessRow extends NamelessStudent {
  /** Null if the class is missing or unknown to the school. */
  readonly classId: number | null;
  readonly externalId: string | null;
  readonly cardNumber: string | null;
}

export interface NamedRow {
  readonly username: string;
  /** `new`: the username is proposed; `known`: an existing student has it. */
  readonly who: 'new' | 'known';
  readonly problem: 'nameMissing' | 'nameAmbiguous' | 'patternEmpty' | null;
  /** For a new student, an existing student with the same name in another class. */
  readonly namesake: ListedStudent | null;
}

/** Finds existing students by external id, or by class and name. Proposes usernames for all others. */
export function assignUsernames(rows: readonly NamelessRow[], naming: NamingOptions): NamedRow[] {
  const { students, refused } = naming;
  const present = students.filter(({ erased }) => !erased);
  const byExternalId = new Map(present.map((student) => [student.externalId, student]));
  const byName = Map.groupBy(present, ({ actualName }) => removeNameBlanks(actualName));
  const keyOf = (classId: number | null, name: string) => `${classId} ${name}`;
  const byPlace = Map.groupBy(present, ({ classId, actualName }) =>
    keyOf(classId, removeNameBlanks(actualName)),
  );
  const linked = rows.map(({ externalId }) =>
    externalId === null ? undefined : byExternalId.get(externalId),
  );
  const isLinked = new Set(linked);
  const rowsByPlace = Map.groupBy(
    rows.filter((_, index) => !linked[index]),
    ({ classId, name }) => keyOf(classId, name),
  );
  const found = rows.map((row, index): ListedStudent | 'nameAmbiguous' | null => {
    if (linked[index]) return linked[index];
    const key = keyOf(row.classId, row.name);
    const own = rowsByPlace.get(key) ?? [];
    const known = (byPlace.get(key) ?? []).filter((student) => !isLinked.has(student));
    if (known.length === 0) return null;
    // Rows of students with one name may be swapped, which is harmless if the list has all of them without numbers.
    const isSafe = own.every(({ externalId, cardNumber }) => externalId === null && cardNumber === null);
    const isOne = own.length === 1 && known.length === 1;
    if (!isOne && (!isSafe || own.length < known.length)) return 'nameAmbiguous';
    return known[own.indexOf(row)] ?? null;
  });
  const isNew = (index: number) => found[index] === null && rows[index]?.name !== '';
  const proposals = proposeUsernames(
    rows.filter((_, index) => isNew(index)),
    {
      ...naming,
      taken: new Set([
        ...students.map(({ username }) => lookalikeKey(username)),
        ...[...refused].map(lookalikeKey),
      ]),
    },
  ).values();
  return rows.map((row, index): NamedRow => {
    const student = found[index];
    const nobody = { username: '', who: 'new', namesake: null } as const;
    if (row.name === '' && !student) return { ...nobody, problem: 'nameMissing' };
    if (student === 'nameAmbiguous') return { ...nobody, problem: 'nameAmbiguous' };
    if (student) return { username: student.username, who: 'known', problem: null, namesake: null };
    const username = proposals.next().value ?? '';
    const namesake = byName.get(row.name)?.find(({ classId }) => classId !== row.classId) ?? null;
    return { username, who: 'new', problem: username === '' ? 'patternEmpty' : null, namesake };
  });
}
