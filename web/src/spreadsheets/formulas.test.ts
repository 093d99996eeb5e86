import fc from 'fast-check';
import papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { escapeFormula, toCsv, unescapeFormula } from './csv.ts';
import { readRows } from './read-rows.ts';
import { cellText } from './testing/text-samples.ts';

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

  it('is read back as written, except for blanks at its ends', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (rows) => {
        // Only text that a name or a reason can contain; `readRows` rejects other encodings.
        const written = rows.map((row) => row.map((one) => one.toWellFormed().replaceAll(/[\0\uFFFD]/g, '')));
        const csv = toCsv({ header: ['a', 'b', 'c'], rows: written });
        const { rows: read } = await readRows(Object.assign(new Blob([csv]), { name: 'list.csv' }));
        const expected = written
          .map((row) => row.map((one) => one.trim()))
          .filter((row) => row.some(Boolean));
        expect(read.slice(1).map(({ cells }) => cells)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});
