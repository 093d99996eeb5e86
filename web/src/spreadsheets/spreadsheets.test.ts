import { describe, expect, it } from 'vitest';
import { dayAndTime, escapeFormula, toCsv } from './csv.ts';
import { readText } from './read-rows.ts';
import { reasonOf } from './testing/reading.ts';
import { formatFor, xlsxRowsMax } from './write-table.ts';

describe('Reading a table', () => {
  it('keeps the line number of each row, although empty rows are omitted', async () => {
    const { rows } = await readText('学号\r\n\r\na\r\n \r\nb\r\n');
    expect(rows.map(({ line, cells: [first] }) => `${line} ${first}`)).toEqual(['1 学号', '3 a', '5 b']);
    const sparse = await readText('学号;姓名\n\n\n\n\na;李伟');
    expect(sparse.rows.at(-1)).toEqual({ line: 6, cells: ['a', '李伟'] });
  });

  it('names the reason why a file is not a table', async () => {
    expect(await reasonOf('PK not a zip at all', 'a.xlsx')).toBe('broken');
    expect(await reasonOf('\n\n', 'a.csv')).toBe('empty');
    expect(await reasonOf(new Uint8Array(10 * 1024 * 1024 + 1), 'a.csv')).toBe('tooLarge');
  });
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

  it.each(['2=2', 'a, -2', '迟到，－2', '表扬；+2', 'x - y', '; x', "'a", '3 − 4'])(
    'does not mark %j, which no spreadsheet reads as a formula',
    (text) => {
      expect(escapeFormula(text)).toBe(text);
    },
  );

  it('leaves numbers and harmless text unchanged', () => {
    expect([-2, 3, 'a=b', '李伟', null].map(escapeFormula)).toEqual([-2, 3, 'a=b', '李伟', null]);
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
