/*
 * What names of grades and classes tell of the school year that they are for: 七年级, 初一, Grade 7, Year 7, 7A. All that follows
 * from them is a proposal, which people look at before anything is done.
 */

const digits = '一二三四五六七八九';
/** Stages whose years are counted from 1, and the year before their first. */
const stages: Readonly<Record<string, number>> = { 初: 6, 高: 9 };

/** A place in a name that tells the year. */
interface Told {
  readonly year: number;
  readonly start: number;
  readonly end: number;
  /** Writes another year in the same way; null where that way has no word for it. */
  readonly write: (year: number) => string | null;
}

const chineseNumber = (year: number): string | null =>
  year === 10 ? '十' : year > 10 && year <= 12 ? `十${digits[year - 11]}` : (digits[year - 1] ?? null);

function yearOfChinese(text: string): number {
  if (!text.startsWith('十')) return digits.indexOf(text) + 1;
  return 10 + (text.length > 1 ? digits.indexOf(text.slice(1)) + 1 : 0);
}

/** 初一, 高三 */
function inStage(name: string): Told | null {
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

/** 七年级, 十一年级, 7年级 */
function inGrade(name: string): Told | null {
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

/** Grade 7, Year 7, Y7, Form 3, Klasse 7; 7th grade */
function inWords(name: string): Told | null {
  const found =
    /\b(?:grade|year|form|klasse|stufe|gr\.?|g|y)\s*(\d{1,2})(?!\d)/i.exec(name) ??
    /^(\d{1,2})(?=(?:st|nd|rd|th)\s+(?:grade|year)\b)/i.exec(name);
  return found ? inDigits(found[1] ?? '', found.index + found[0].length - (found[1] ?? '').length) : null;
}

const inDigits = (text: string, start: number): Told => ({
  year: Number(text),
  start,
  end: start + text.length,
  write: String,
});

const tells = (name: string): Told | null => inStage(name) ?? inGrade(name) ?? inWords(name);

/** The year that the name of a grade tells; null where it tells none, as 2023级 does, which keeps its name. */
export const yearOf = (name: string): number | null => tells(name)?.year ?? null;

/**
 * The code of a grade in OneRoster, which uses those of CEDS: `KG`, `01` to `13`, or `Other` where the name tells no
 * year.
 */
export function gradeCodeOf(name: string): string {
  if (/kindergarten|幼儿园/i.test(name)) return 'KG';
  const year = yearOf(name);
  return year !== null && year >= 1 && year <= 13 ? String(year).padStart(2, '0') : 'Other';
}

const replaced = (name: string, { start, end, write }: Told, year: number): string => {
  const written = write(year);
  return written === null ? name : name.slice(0, start) + written + name.slice(end);
};

/** The name of a grade, for another year. */
export function gradeNameFor(name: string, year: number): string {
  const told = tells(name);
  return told ? replaced(name, told, year) : name;
}

/**
 * Where the name of a class tells the year of its grade by a number alone: 7A, Class 7A, 7.1, 7-1, 7(1), 701. Not 7 alone, nor
 * 7班: those may be the seventh of the grade.
 */
function ofClass(name: string, year: number): Told | null {
  const found =
    /(?<!\d)(\d{1,2})(?=\s*[A-Za-z](?![A-Za-z]))/.exec(name) ??
    /(?<!\d)(\d{1,2})(?=\s*[.\-/(（年]\s*\d)/.exec(name) ??
    /(?<!\d)(\d{1,2})(?=\d\d(?!\d))/.exec(name);
  const told = found ? inDigits(found[1] ?? '', found.index) : null;
  return told?.year === year ? told : null;
}

/**
 * What a class is called in another grade: where its name tells its own grade, it tells the other one.
 *
 * @param from the name of its grade
 * @param to the name of the other one
 */
export function classNameFor(name: string, from: string, to: string): string {
  const [year, next] = [yearOf(from), yearOf(to)];
  if (from !== '' && name.includes(from)) return name.replace(from, () => to);
  if (year === null || next === null) return name;
  const told = tells(name);
  if (told) return told.year === year ? replaced(name, told, next) : name;
  const alone = ofClass(name, year);
  return alone ? replaced(name, alone, next) : name;
}
