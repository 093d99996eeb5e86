import type { ListedStudent } from '@classledger/contract';
import { toHalfWidth } from '../../../i18n/letters.ts';
import {
  gradeNumber,
  type NamedClass,
  normalizeClassName,
  onceForEachName,
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

const wordsByName: ReadonlyMap<string, PatternWord> = new Map(
  (Object.keys(patternWords) as PatternWord[]).flatMap((one) =>
    [one, patternWords[one].en, patternWords[one].zh].map((name) => [name, one] as const),
  ),
);

const wordOf = (name: string): PatternWord | null => wordsByName.get(name.toLowerCase()) ?? null;

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

/** Returns the parts of a name in Latin letters, from "Anna Maria Lee" or "Lee, Anna". */
function latinName(name: string): Record<'first' | 'last' | 'initial', string> {
  const [before = '', after] = toLatin(name)
    .replace(/['’‘\-‐]/g, '')
    .split(/[,，]/);
  const wordsOf = (text: string) => text.match(/[a-z0-9]+/g) ?? [];
  const words = after === undefined ? wordsOf(before) : [...wordsOf(after), ...wordsOf(before)];
  const [first = '', ...others] = words;
  return { first, last: others.at(-1) ?? '', initial: first.slice(0, 1) };
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

interface NamelessStudent extends NamedClass {
  readonly name: string;
}

/** Proposes usernames unlike each other and those in `taken`; an empty text if the pattern gives none. */
export function proposeUsernames(
  students: readonly NamelessStudent[],
  taken: readonly string[],
  { pattern, schoolYear }: Pick<NamingOptions, 'pattern' | 'schoolYear'>,
): string[] {
  const used = new Set(taken.map(lookalikeKey));
  const counts = new Map<string, number>();
  const text = toHalfWidth(pattern);
  const words = [...text.matchAll(word)].flatMap(([, name = '']) => wordOf(name) ?? []);
  const hasNumber = words.includes('number');
  const isOnlyNumber = hasNumber && words.length === 1 && text.replace(word, '') === '';
  const placeText = placeTexts(schoolYear);
  return students.map((student) => {
    const texts = { ...placeText(student), ...latinName(student.name) };
    const same = fillPattern(text, texts, '');
    if (same === '' && !isOnlyNumber) return '';
    for (let number = (counts.get(same) ?? 0) + 1; ; number++) {
      const counted = hasNumber
        ? fillPattern(text, texts, String(number))
        : `${same}${number === 1 ? '' : number}`;
      if (used.has(lookalikeKey(counted))) continue;
      counts.set(same, number);
      used.add(lookalikeKey(counted));
      return counted;
    }
  });
}

type Texts = Readonly<Record<Exclude<PatternWord, 'number'>, string>>;

/** Returns a function that gives the texts of a class, cached because thousands of students share few classes. */
const placeTexts = (schoolYear: number) =>
  onceForEachName(({ gradeName, className }) => {
    const grade = gradeName || (splitGradeAndClass(className)?.gradeName ?? '');
    return {
      entry: String(entryYear(grade, schoolYear)),
      grade: gradeText(grade),
      class: classText({ gradeName: grade, className }),
    };
  });

function fillPattern(pattern: string, texts: Texts, number: string): string {
  const whole = pattern.replace(word, (_, name: string, width: string) => {
    const known = wordOf(name);
    if (known !== 'number') return known === null ? '' : texts[known];
    return number === '' ? '' : number.padStart(Math.min(Number(width), 10) || 2, '0');
  });
  // Drops separators around empty parts, as for a name of one word.
  return whole.replace(/([._-])[._-]+/g, '$1').replace(/^[._-]+|[._-]+$/g, '');
}

export interface NamingOptions {
  readonly pattern: string;
  readonly schoolYear: number;
  /** Proposed usernames that the server reported as taken. */
  readonly refused: ReadonlySet<string>;
}

interface NamelessRow extends NamelessStudent {
  /** Null if the class is missing or unknown to the school. */
  readonly classId: number | null;
  readonly externalId: string | null;
  readonly cardNumber: string | null;
}

export type NamingProblem = 'nameMissing' | 'nameAmbiguous' | 'patternEmpty';

export interface NamedRow {
  readonly username: string;
  /** `new`: the username is proposed; `known`: an existing student has it. */
  readonly who: 'new' | 'known';
  readonly problem: NamingProblem | null;
  /** For a new student, an existing student with the same name in another class. */
  readonly namesake: ListedStudent | null;
}

/** Finds existing students by external id, or by class and name. Proposes usernames for all others. */
export function assignUsernames(
  rows: readonly NamelessRow[],
  students: readonly ListedStudent[],
  naming: NamingOptions,
): NamedRow[] {
  const present = students.filter(({ erased }) => !erased);
  const byName = Map.groupBy(present, ({ actualName }) => removeNameBlanks(actualName));
  const found = findStudents(rows, present);
  const taken = [...students.map(({ username }) => username), ...naming.refused];
  const added = rows.filter(({ name }, index) => found[index] === null && name !== '');
  const proposals = proposeUsernames(added, taken, naming).values();
  return rows.map(({ name, classId }, index): NamedRow => {
    const student = found[index];
    const nobody = { username: '', who: 'new', namesake: null } as const;
    if (name === '' && !student) return { ...nobody, problem: 'nameMissing' };
    if (student === 'nameAmbiguous') return { ...nobody, problem: 'nameAmbiguous' };
    if (student) return { ...nobody, username: student.username, who: 'known', problem: null };
    const username = proposals.next().value ?? '';
    const namesake = byName.get(name)?.find((one) => one.classId !== classId) ?? null;
    return { username, who: 'new', problem: username === '' ? 'patternEmpty' : null, namesake };
  });
}

function findStudents(rows: readonly NamelessRow[], students: readonly ListedStudent[]) {
  const byExternalId = new Map(students.map((student) => [student.externalId, student]));
  const linked = rows.map(({ externalId }) => externalId !== null && byExternalId.get(externalId));
  const keyOf = (classId: number | null, name: string) => `${classId} ${name}`;
  const isLinked = new Set(linked);
  const studentsByPlace = Map.groupBy(
    students.filter((student) => !isLinked.has(student)),
    ({ classId, actualName }) => keyOf(classId, removeNameBlanks(actualName)),
  );
  const rowsByPlace = Map.groupBy(
    rows.filter((_, index) => !linked[index]),
    ({ classId, name }) => keyOf(classId, name),
  );
  return rows.map((row, index): ListedStudent | 'nameAmbiguous' | null => {
    if (linked[index]) return linked[index];
    const key = keyOf(row.classId, row.name);
    const own = rowsByPlace.get(key) ?? [];
    const known = studentsByPlace.get(key) ?? [];
    if (known.length === 0) return null;
    // Rows of students with one name may be swapped, which is harmless if the list has all of them without numbers.
    const isSafe = own.every(({ externalId, cardNumber }) => externalId === null && cardNumber === null);
    const isOne = own.length === 1 && known.length === 1;
    if (!isOne && (!isSafe || own.length < known.length)) return 'nameAmbiguous';
    return known[own.indexOf(row)] ?? null;
  });
}
