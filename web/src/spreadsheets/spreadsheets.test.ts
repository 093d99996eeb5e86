import fc from 'fast-check';
import papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { dayAndTime, escapeFormula, toCsv, unescapeFormula } from './csv.ts';
import { readText } from './read-rows.ts';
import { cellText } from './testing/text-samples.ts';
import { formatFor, xlsxRowsMax } from './write-table.ts';
import { strToU8, unzipSync, zip } from './zip-without-workers.ts';

it('text is read with the line number of each row, although empty rows are omitted', async () => {
  const { rows } = await readText('学号\r\n\r\na\r\n \r\nb\r\n');
  expect(rows.map(({ line, cells: [first] }) => `${line} ${first}`)).toEqual(['1 学号', '3 a', '5 b']);
  const sparse = await readText('学号;姓名\n\n\n\n\na;李伟');
  expect(sparse.rows.at(-1)).toEqual({ line: 6, cells: ['a', '李伟'] });
});

describe('Writing a table', () => {
  it.each([
    ['-2+3', "'-2+3"],
    ['＝1 ＋1', "'＝1 ＋1"],
    ['\u00A0=1', "\u00A0'=1"],
    ['x\n@1;y;; ＋1', "x\n'@1;y;; '＋1"],
    ["'=1", "''=1"],
    ["x;''=1", "x;'''=1"],
  ])('marks %j as text: %j', (text, marked) => {
    expect(escapeFormula(text)).toBe(marked);
  });

  it('leaves numbers, and texts that no spreadsheet reads as a formula, unchanged', () => {
    const texts = ['a=b', '李伟', '2=2', 'a, -2', '迟到，－2', '表扬；+2', 'x - y', '; x', "'a", '3 − 4'];
    const cells = [-2, 3, null, ...texts];
    expect(cells.map(escapeFormula)).toEqual(cells);
  });

  it('uses CSV for more rows than XLSX can be written with', () => {
    expect(formatFor('xlsx', xlsxRowsMax)).toBe('xlsx');
    expect(formatFor('xlsx', xlsxRowsMax + 1)).toBe('csv');
    expect(formatFor('csv', 1)).toBe('csv');
  });

  it('quotes CSV cells where needed, and begins with a byte order mark', () => {
    const csv = toCsv({
      header: ['Name', 'Points'],
      rows: [
        ['O"Neil, A', -2],
        ['=x\ny', null],
      ],
    });
    expect(csv).toBe('\uFEFFName,Points\r\n"O""Neil, A",-2\r\n"\'=x\ny",\r\n');
  });
});

it.each([
  ['Asia/Shanghai', '2026-09-01 00:05:09'],
  ['America/New_York', '2026-08-31 12:05:09'],
  ['UTC', '2026-08-31 16:05:09'],
])('dayAndTime writes an instant in local time of %s', (timeZone, expected) => {
  expect(dayAndTime('2026-08-31T16:05:09.000Z', timeZone)).toBe(expected);
});

/** Starts of formulas, characters that programs drop before them, and ends of cells. */
const spiteful = fc.string({
  unit: fc.constantFrom(...'=+-@＝＋－＠\'";|؛,\t\r\n\v\f \u00A0\u3000\u200B\uFEFF\u2028\u0085\u0007a1'),
  maxLength: 12,
});
const text = fc.oneof(spiteful, cellText);
const tables = fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 4 });

const lineBreaks = /[\r\n\v\f\u0085\u2028\u2029]/u;
const separators = [';', '\t', '|', '؛'];

/** Reads a cell like a program that ignores all invisible characters. */
const isFormula = (cell: string) =>
  /^[=+\-@＝＋－＠]/u.test(cell.replaceAll(/[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, ''));

describe('Text in a CSV file', () => {
  it('is no formula for a program of any locale, with or without quotes', () => {
    fc.assert(
      fc.property(tables, fc.constantFrom(',', ...separators), (rows, delimiter) => {
        const csv = toCsv({ header: ['a', 'b', 'c'], rows }).replace('\uFEFF', '');
        const { data } = papa.parse<string[]>(csv, { delimiter });
        // Our own separator stands only between cells.
        const plain = delimiter === ',' ? [] : csv.split(lineBreaks).flatMap((line) => line.split(delimiter));
        expect([...plain, ...data.flat()].filter(isFormula)).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('can be restored exactly', () => {
    fc.assert(
      fc.property(text, (one) => {
        expect(unescapeFormula(escapeFormula(one) as string)).toBe(one);
      }),
      { numRuns: 1_000 },
    );
  });
});

it('zip works like fflate’s, without workers', () => {
  const seen: unknown[] = [];
  zip({ 'a.xml': strToU8('a') }, (error, packed) => seen.push(error, Object.keys(unzipSync(packed))));
  expect(seen).toEqual([null, ['a.xml']]);
});
