/* Reads the school year from names such as 七年级, Grade 7 or 7A. The results are proposals that people check first. */

const digits = '一二三四五六七八九';
/** Each stage counts its years from 1. The value is added, so that 初一 is year 7. */
const stages: Readonly<Record<string, number>> = { 初: 6, 高: 9 };

interface StatedYear {
  readonly year: number;
  readonly start: number;
  readonly end: number;
  /** Writes another year in the same style; null when that style cannot express it. */
  readonly write: (year: number) => string | null;
}

const chineseNumber = (year: number): string | null =>
  year === 10 ? '十' : year > 10 && year <= 12 ? `十${digits[year - 11]}` : (digits[year - 1] ?? null);

function yearOfChinese(text: string): number {
  if (!text.startsWith('十')) return digits.indexOf(text) + 1;
  return 10 + (text.length > 1 ? digits.indexOf(text.slice(1)) + 1 : 0);
}

/** Finds years such as 初一 and 高三. */
function findStageYear(name: string): StatedYear | null {
  const found = /([初高])([一二三])/.exec(name);
  if (!found) return null;
  const [text, stage = '', digit = ''] = found;
  return {
    year: (stages[stage] ?? 0) + digits.indexOf(digit) + 1,
    start: found.index,
    end: found.index + text.length,
    write: (year) => {
      const other = Object.entries(stages).find(([, before]) => year > before && year <= before + 3);
      return other ? `${other[0]}${digits[year - other[1] - 1]}` : null;
    },
  };
}

/** Finds years such as 七年级, 十一年级 and 7年级. */
function findChineseGradeYear(name: string): StatedYear | null {
  const found = /(十[一二]?|[一二三四五六七八九]|\d{1,2})(?=年级)/.exec(name);
  if (!found) return null;
  const [text] = found;
  const isDigits = /\d/.test(text);
  return {
    year: isDigits ? Number(text) : yearOfChinese(text),
    start: found.index,
    end: found.index + text.length,
    write: isDigits ? String : chineseNumber,
  };
}

/** Finds years such as Grade 7, Year 7, Y7, Form 3, Klasse 7 and 7th grade. */
function findNamedGradeYear(name: string): StatedYear | null {
  const found =
    /\b(?:grade|year|form|klasse|stufe|gr\.?|g|y)\s*(\d{1,2})(?!\d)/i.exec(name) ??
    /^(\d{1,2})(?=(?:st|nd|rd|th)\s+(?:grade|year)\b)/i.exec(name);
  return found ? yearInDigits(found[1] ?? '', found.index + found[0].length - (found[1] ?? '').length) : null;
}

const yearInDigits = (text: string, start: number): StatedYear => ({
  year: Number(text),
  start,
  end: start + text.length,
  write: String,
});

const findYear = (name: string): StatedYear | null =>
  findStageYear(name) ?? findChineseGradeYear(name) ?? findNamedGradeYear(name);

/** Returns the year that a grade's name states, or null when it states none, such as 2023级. */
export const yearOf = (name: string): number | null => findYear(name)?.year ?? null;

/** Returns the OneRoster code of a grade (from CEDS): `KG`, `01` to `13`, or `Other`. */
export function gradeCodeOf(name: string): string {
  if (/kindergarten|幼儿园/i.test(name)) return 'KG';
  const year = yearOf(name);
  return year !== null && year >= 1 && year <= 13 ? String(year).padStart(2, '0') : 'Other';
}

const replaceYear = (name: string, { start, end, write }: StatedYear, year: number): string => {
  const written = write(year);
  return written === null ? name : name.slice(0, start) + written + name.slice(end);
};

/** Returns a grade's name for another year. A name without a year stays the same. */
export function gradeNameFor(name: string, year: number): string {
  const stated = findYear(name);
  return stated ? replaceYear(name, stated, year) : name;
}

/** Finds the grade's number in 7A, Class 7A, 7.1, 7-1, 7(1), 701. A plain 7 or 7班 may mean the seventh class. */
function findClassYear(name: string, year: number): StatedYear | null {
  const found =
    /(?<!\d)(\d{1,2})(?=\s*[A-Za-z](?![A-Za-z]))/.exec(name) ??
    /(?<!\d)(\d{1,2})(?=\s*[.\-/(（年]\s*\d)/.exec(name) ??
    /(?<!\d)(\d{1,2})(?=\d\d(?!\d))/.exec(name);
  const stated = found ? yearInDigits(found[1] ?? '', found.index) : null;
  return stated?.year === year ? stated : null;
}

/** Returns a class's name in another grade. A name without the old grade or its number stays the same. */
export function classNameFor(name: string, from: string, to: string): string {
  const [year, next] = [yearOf(from), yearOf(to)];
  if (from !== '' && name.includes(from)) return name.replace(from, () => to);
  if (year === null || next === null) return name;
  const stated = findYear(name);
  if (stated) return stated.year === year ? replaceYear(name, stated, next) : name;
  const alone = findClassYear(name, year);
  return alone ? replaceYear(name, alone, next) : name;
}
