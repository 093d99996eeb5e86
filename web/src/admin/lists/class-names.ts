import type { ClassSummary } from '@classledger/contract';
import { narrow } from '../../i18n/letters.ts';
import { plain } from './plain-words.ts';

/** A class as a list names it; an empty grade: by the name of the class alone. */
export interface NamedClass {
  readonly gradeName: string;
  readonly className: string;
}

/** What of a class tells it from others. */
export type KnownClass = Pick<ClassSummary, 'id' | 'name' | 'gradeName'>;

/** Why a list's class is none of the school's. */
export type ClassFault = 'classUnknown' | 'classAmbiguous';

/** A class as a list names it. */
export const labelOf = ({ gradeName, className }: NamedClass) =>
  [gradeName, className].filter(Boolean).join(' ');

const numeral = /[一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九]/g;
const oneToNine = '一二三四五六七八九';

/** 十二 is 12 and 三 is 3; what is no number that someone would write so stays: 七一 may be 7(1) or 71. */
const inDigits = (text: string): string =>
  text.replace(/[一二三四五六七八九十]+/g, (run) => {
    if (run.replace(numeral, '') !== '' || (run.match(numeral) ?? []).length > 1) return run;
    const [tens = '', ones = ''] = run.includes('十') ? run.split('十') : ['', run];
    const value = (letter: string) => oneToNine.indexOf(letter) + 1;
    return String((run.includes('十') ? (value(tens) || 1) * 10 : 0) + value(ones));
  });

/** "一班", "（1）班", "第1班", "Class 1" and "1" are the same within a grade. */
export const plainClass = (name: string): string =>
  plain(inDigits(narrow(name)))
    .replace(/^第(?=.)/, '')
    .replace(/^class(?=.)/, '')
    .replace(/(?<=.)班级?$/, '');

interface GradeForm {
  readonly plain: string;
  /** Of a grade that is a number: "7" of 七年级, Grade 7 and 7. */
  readonly number: string | null;
  /** What is numbered: years of school, of 初中 or 高中, or of entry; empty where only the number is said. */
  readonly kind: string;
  /** Where it is written in two languages: in each of them. */
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

/** "初一 Grade 7", or the other way round. */
const twoLanguages = /^(\p{Script=Han}\S*)\s+([a-z].*)$|^([a-z].*?)\s+(\p{Script=Han}\S*)$/iu;

function gradeFormOf(name: string): GradeForm {
  const parts = (twoLanguages.exec(narrow(name)) ?? []).slice(1).filter((part) => part !== undefined);
  return { ...oneFormOf(name), parts: parts.map(oneFormOf) };
}

function oneFormOf(name: string): Omit<GradeForm, 'parts'> {
  const text = plain(inDigits(narrow(name)));
  for (const [form, kind] of gradeForms) {
    const number = form.exec(text)?.[1];
    if (number !== undefined) return { plain: text, number, kind };
  }
  return { plain: text, number: null, kind: '' };
}

/** 初一 is no 七年级: that differs between cities. A number alone may be any grade of that number. */
const isSameGrade = (one: GradeForm, other: GradeForm) =>
  one.plain === other.plain ||
  (one.number !== null &&
    one.number === other.number &&
    (one.kind === other.kind || one.kind === '' || other.kind === '')) ||
  isPartOf(one, other) ||
  isPartOf(other, one);

/** A number alone is no part: of "初一 Grade 7" it may be either. */
const isPartOf = (one: GradeForm, { parts }: GradeForm) =>
  parts.some(
    ({ plain, number, kind }) =>
      one.plain === plain || (number !== null && number === one.number && kind !== '' && kind === one.kind),
  );

/** One text for all the ways to write a grade: 七年级, 7年级 and Grade 7. */
export function plainGrade(name: string): string {
  const { plain, number, kind } = gradeFormOf(name);
  return number === null ? plain : `${kind} ${number}`;
}

/** The number of a grade, and what is counted: "grade" for 七年级, "初" for 初一, "级" for 2026级; null where it has none. */
export function gradeNumber(name: string): { readonly number: number; readonly kind: string } | null {
  const form = gradeFormOf(name);
  const { number = null, kind = '' } = [form, ...form.parts].find((one) => one.number !== null) ?? {};
  return number === null ? null : { number: Number(number), kind };
}

/** The grade that a list means; null where there is none or it may be several. */
export function findGrade<T extends { readonly name: string }>(name: string, grades: readonly T[]): T | null {
  const exact = grades.filter((grade) => plain(grade.name) === plain(name));
  if (exact.length > 0) return exact.length === 1 ? (exact[0] ?? null) : null;
  const wanted = gradeFormOf(name);
  const [found = null, ...others] = grades.filter((grade) => isSameGrade(gradeFormOf(grade.name), wanted));
  return others.length === 0 ? found : null;
}

/** "七年级3班", "初一（3）班", "Grade 7 Class 3", "7th grade A": a grade and its class in one cell. */
const withGrade =
  /^(.+?年级|[初高]中?[一二三四]|\d{4}[级届]|(?:grade|year|g|y)\s*\d+(?!\d)|\d+(?:st|nd|rd|th)\s+grade)[\s,，.-]*(.+)$/iu;
/** 七(3)班 and 7-3; not 7.3, which a spreadsheet also makes of 7.30. */
const withNumber = /^(\d{1,2}|[一二三四五六七八九十]{1,2})(?:\s*-\s*(\d.*)|\s*([（(].+))$/u;

/** Takes a grade and its class apart that stand in one text; null where there is no grade. */
export function gradeAndClass(text: string): NamedClass | null {
  const [, grade, rest] = withGrade.exec(text.trim()) ?? [];
  return grade !== undefined && rest !== undefined ? { gradeName: grade, className: rest } : null;
}

/** What may be meant by the name of a class; with a grade where the name holds one. */
function readingsOf(
  className: string,
  ofGrade: readonly string[],
): { grade: GradeForm | null; name: string }[] {
  const text = narrow(className);
  const readings: { grade: GradeForm | null; name: string }[] = [{ grade: null, name: plainClass(text) }];
  const add = (grade: string, rest: string) =>
    readings.push({ grade: gradeFormOf(grade), name: plainClass(rest) });
  const apart = gradeAndClass(text);
  if (apart) add(apart.gradeName, apart.className);
  const [, number, afterLine, inBrackets] = withNumber.exec(text) ?? [];
  const rest = afterLine ?? inBrackets;
  if (number !== undefined && rest !== undefined) add(number, rest);
  for (const grade of ofGrade) {
    const name = narrow(grade);
    const after = text.slice(name.length);
    const isSplit = name !== '' && after.trim() !== '' && text.toLowerCase().startsWith(name.toLowerCase());
    // "Grade 12" is not the class 2 of Grade 1.
    if (isSplit && !(/\d$/.test(name) && /^\d/.test(after))) add(grade, after);
  }
  return readings;
}

/**
 * Finds the school's classes as offices write them: with their grade or, where that is clear, without it, in one cell or two, with Chinese
 * or other digits. Never guesses: what may be two classes is ambiguous, unless one of the same grade is written just so.
 */
export function classFinder<T extends KnownClass>(classes: readonly T[]) {
  const gradeNames = [...new Set(classes.map(({ gradeName }) => gradeName))];
  const byName = new Map<string, { known: T; grade: GradeForm }[]>();
  for (const known of classes) {
    const grade = gradeFormOf(known.gradeName);
    const names = readingsOf(known.name, [known.gradeName])
      .filter((reading) => reading.grade === null || isSameGrade(reading.grade, grade))
      .map(({ name }) => name);
    for (const name of new Set(names)) byName.set(name, [...(byName.get(name) ?? []), { known, grade }]);
  }
  const find = ({ className, gradeName }: NamedClass): T | ClassFault => {
    const wanted = gradeName === '' ? null : gradeFormOf(gradeName);
    const found = new Set<T>();
    for (const reading of readingsOf(className, gradeNames)) {
      for (const { known, grade } of byName.get(reading.name) ?? []) {
        const fits = (other: GradeForm | null) => other === null || isSameGrade(other, grade);
        if (fits(wanted) && fits(reading.grade)) found.add(known);
      }
    }
    const all = [...found];
    if (all.length < 2) return all[0] ?? 'classUnknown';
    return exactOf(all, { className, gradeName }) ?? 'classAmbiguous';
  };
  const known = new Map<string, T | ClassFault>();
  return (named: NamedClass): T | ClassFault => {
    const key = `${named.gradeName}\n${named.className}`;
    const found = known.get(key) ?? find(named);
    known.set(key, found);
    return found;
  };
}

/** The one that is written just so, where all that may be meant are of its grade or the grade is written just so, too. */
function exactOf<T extends KnownClass>(
  found: readonly T[],
  { className, gradeName }: NamedClass,
): T | undefined {
  const same = (one: string, other: string) => narrow(one) === narrow(other);
  const ofGrade = gradeName === '' ? found : found.filter((one) => same(one.gradeName, gradeName));
  const candidates = ofGrade.length > 0 ? ofGrade : found;
  const exact = candidates.filter(({ name }) => same(name, className));
  const isOneGrade = new Set(candidates.map((one) => one.gradeName)).size === 1;
  return isOneGrade && exact.length === 1 ? exact[0] : undefined;
}
