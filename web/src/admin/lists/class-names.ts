import type { ClassSummary } from '@classledger/contract';
import { toHalfWidth } from '../../i18n/letters.ts';
import { normalizeText } from './normalize-text.ts';

/** A class as written in a list. An empty grade name means that the list gives no grade. */
export interface NamedClass {
  readonly gradeName: string;
  readonly className: string;
}

export type KnownClass = Pick<ClassSummary, 'id' | 'name' | 'gradeName'>;

export type ClassFault = 'classUnknown' | 'classAmbiguous';

export const namedClassLabel = ({ gradeName, className }: NamedClass) =>
  [gradeName, className].filter(Boolean).join(' ');

const numeral = /[一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九]/g;
const oneToNine = '一二三四五六七八九';

/** Converts Chinese numerals: 十二 becomes 12, 三 becomes 3. Keeps others, because 七一 may mean 7(1) or 71. */
const convertNumerals = (text: string): string =>
  text.replace(/[一二三四五六七八九十]+/g, (run) => {
    if (run.replace(numeral, '') !== '' || (run.match(numeral) ?? []).length > 1) return run;
    const [tens = '', ones = ''] = run.includes('十') ? run.split('十') : ['', run];
    const value = (letter: string) => oneToNine.indexOf(letter) + 1;
    return String((run.includes('十') ? (value(tens) || 1) * 10 : 0) + value(ones));
  });

/** Returns one text for all spellings of a class within a grade: "一班", "（1）班", "第1班", "Class 1" and "1". */
export const normalizeClassName = (name: string): string =>
  normalizeText(convertNumerals(toHalfWidth(name)))
    .replace(/^第(?=.)/, '')
    .replace(/^class(?=.)/, '')
    .replace(/(?<=.)班级?$/, '');

interface GradeForm {
  readonly plain: string;
  readonly number: string | null;
  /** The meaning of the number: a school year, a year of 初中 or 高中, or a year of entry. Empty for a bare number. */
  readonly kind: string;
  readonly parts: readonly Omit<GradeForm, 'parts'>[];
}

const gradeForms: readonly (readonly [RegExp, kind: string])[] = [
  [/^第?(\d+)年级$/, 'grade'],
  [/^(?:grade|g)(\d+)$/, 'grade'],
  [/^(\d+)(?:st|nd|rd|th)grade$/, 'grade'],
  [/^(?:year|y)(\d+)$/, 'year'],
  [/^初中?([1-4])(?:年级)?$/, '初'],
  [/^高中?([1-3])(?:年级)?$/, '高'],
  [/^(\d+)[级届]$/, '级'],
  [/^(\d+)$/, ''],
];

/** Matches "初一 Grade 7" and "Grade 7 初一". */
const twoLanguages = /^(\p{Script=Han}\S*)\s+([a-z].*)$|^([a-z].*?)\s+(\p{Script=Han}\S*)$/iu;

function gradeFormOf(name: string): GradeForm {
  const parts = (twoLanguages.exec(toHalfWidth(name)) ?? []).slice(1).filter((part) => part !== undefined);
  return { ...oneFormOf(name), parts: parts.map(oneFormOf) };
}

function oneFormOf(name: string): Omit<GradeForm, 'parts'> {
  const text = normalizeText(convertNumerals(toHalfWidth(name)));
  for (const [form, kind] of gradeForms) {
    const number = form.exec(text)?.[1];
    if (number !== undefined) return { plain: text, number, kind };
  }
  return { plain: text, number: null, kind: '' };
}

/** Compares grades. 初一 does not match 七年级, because cities differ. A bare number matches every grade with it. */
const isSameGrade = (one: GradeForm, other: GradeForm) =>
  one.plain === other.plain ||
  (one.number !== null &&
    one.number === other.number &&
    (one.kind === other.kind || one.kind === '' || other.kind === '')) ||
  isPartOf(one, other) ||
  isPartOf(other, one);

/** A bare number is not a part of a name, because in "初一 Grade 7" it could mean 1 or 7. */
const isPartOf = (one: GradeForm, { parts }: GradeForm) =>
  parts.some(
    ({ plain, number, kind }) =>
      one.plain === plain || (number !== null && number === one.number && kind !== '' && kind === one.kind),
  );

/** Returns one text for several spellings of a grade, such as 七年级 and 7年级. */
export function normalizeGradeName(name: string): string {
  const { plain, number, kind } = gradeFormOf(name);
  return number === null ? plain : `${kind} ${number}`;
}

/** Returns number and kind: "grade" for 七年级, "初" for 初一, "级" for 2026级. Null without a number. */
export function gradeNumber(name: string): { readonly number: number; readonly kind: string } | null {
  const form = gradeFormOf(name);
  const { number = null, kind = '' } = [form, ...form.parts].find((one) => one.number !== null) ?? {};
  return number === null ? null : { number: Number(number), kind };
}

export function findGrade<T extends { readonly name: string }>(name: string, grades: readonly T[]): T | null {
  const exact = grades.filter((grade) => normalizeText(grade.name) === normalizeText(name));
  if (exact.length > 0) return exact.length === 1 ? (exact[0] ?? null) : null;
  const wanted = gradeFormOf(name);
  const [found = null, ...others] = grades.filter((grade) => isSameGrade(gradeFormOf(grade.name), wanted));
  return others.length === 0 ? found : null;
}

/** Matches a grade and its class in one cell: "七年级3班", "初一（3）班", "Grade 7 Class 3", "7th grade A". */
const withGrade =
  /^(.+?年级|[初高]中?[一二三四]|\d{4}[级届]|(?:grade|year|g|y)\s*\d+(?!\d)|\d+(?:st|nd|rd|th)\s+grade)[\s,，.-]*(.+)$/iu;
/** Matches 七(3)班 and 7-3, but not 7.3, which a spreadsheet also shows for 7.30. */
const withNumber = /^(\d{1,2}|[一二三四五六七八九十]{1,2})(?:\s*-\s*(\d.*)|\s*([（(].+))$/u;

export function splitGradeAndClass(text: string): NamedClass | null {
  const [, grade, rest] = withGrade.exec(text.trim()) ?? [];
  return grade !== undefined && rest !== undefined ? { gradeName: grade, className: rest } : null;
}

function interpretationsOf(
  className: string,
  ofGrade: readonly string[],
): { grade: GradeForm | null; name: string }[] {
  const text = toHalfWidth(className);
  const readings: { grade: GradeForm | null; name: string }[] = [
    { grade: null, name: normalizeClassName(text) },
  ];
  const add = (grade: string, rest: string) =>
    readings.push({ grade: gradeFormOf(grade), name: normalizeClassName(rest) });
  const apart = splitGradeAndClass(text);
  if (apart) add(apart.gradeName, apart.className);
  const [, number, afterLine, inBrackets] = withNumber.exec(text) ?? [];
  const rest = afterLine ?? inBrackets;
  if (number !== undefined && rest !== undefined) add(number, rest);
  for (const grade of ofGrade) {
    const name = toHalfWidth(grade);
    const after = text.slice(name.length);
    const isSplit = name !== '' && after.trim() !== '' && text.toLowerCase().startsWith(name.toLowerCase());
    // "Grade 12" is not class 2 of Grade 1.
    if (isSplit && !(/\d$/.test(name) && /^\d/.test(after))) add(grade, after);
  }
  return readings;
}

/** Returns a function that finds a class as schools write its name. Of several matches, only `exactMatch` decides. */
export function classFinder<T extends KnownClass>(classes: readonly T[]) {
  const gradeNames = [...new Set(classes.map(({ gradeName }) => gradeName))];
  const byName = new Map<string, { known: T; grade: GradeForm }[]>();
  for (const known of classes) {
    const grade = gradeFormOf(known.gradeName);
    const names = interpretationsOf(known.name, [known.gradeName])
      .filter((reading) => reading.grade === null || isSameGrade(reading.grade, grade))
      .map(({ name }) => name);
    for (const name of new Set(names)) byName.set(name, [...(byName.get(name) ?? []), { known, grade }]);
  }
  const find = ({ className, gradeName }: NamedClass): T | ClassFault => {
    const wanted = gradeName === '' ? null : gradeFormOf(gradeName);
    const found = new Set<T>();
    for (const reading of interpretationsOf(className, gradeNames)) {
      for (const { known, grade } of byName.get(reading.name) ?? []) {
        const fits = (other: GradeForm | null) => other === null || isSameGrade(other, grade);
        if (fits(wanted) && fits(reading.grade)) found.add(known);
      }
    }
    const all = [...found];
    if (all.length < 2) return all[0] ?? 'classUnknown';
    return exactMatch(all, { className, gradeName }) ?? 'classAmbiguous';
  };
  return onceForEachName(find);
}

/** Remembers the result for each name, because most rows of a list name the same few classes. */
export function onceForEachName<Result>(find: (named: NamedClass) => Result): (named: NamedClass) => Result {
  const known = new Map<string, Result>();
  return (named) => {
    const key = `${named.gradeName}\n${named.className}`;
    if (!known.has(key)) known.set(key, find(named));
    return known.get(key) as Result;
  };
}

/** Returns the class with the same spelling, if its grade is clear: spelled the same, or the only one found. */
function exactMatch<T extends KnownClass>(
  found: readonly T[],
  { className, gradeName }: NamedClass,
): T | undefined {
  const same = (one: string, other: string) => toHalfWidth(one) === toHalfWidth(other);
  const ofGrade = gradeName === '' ? found : found.filter((one) => same(one.gradeName, gradeName));
  const candidates = ofGrade.length > 0 ? ofGrade : found;
  const exact = candidates.filter(({ name }) => same(name, className));
  const isOneGrade = new Set(candidates.map((one) => one.gradeName)).size === 1;
  return isOneGrade && exact.length === 1 ? exact[0] : undefined;
}
