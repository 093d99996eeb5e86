import { describe, expect, it } from 'vitest';
import writeExcelFile from 'write-excel-file/node';
import { escapeFormula, toCsv } from './csv.ts';
import { readRows, readText } from './read-rows.ts';
import type { Sheet } from './sheet.ts';
import { shownDigits } from './shown-digits.ts';
import { UnreadableFile } from './unreadable-file.ts';
import { formatFor, xlsxRowsMax } from './write-table.ts';

const cellsOf = ({ rows }: Sheet) => rows.map(({ cells }) => cells);
const file = (content: BlobPart, name: string) => Object.assign(new Blob([content]), { name });

describe('Reading a table', () => {
  it('reads XLSX as text, including numbers and blanks', async () => {
    const made = await writeExcelFile([
      ['学号', '姓名'],
      [{ value: 20260101, type: Number }, '  李伟 '],
      ['a', null],
    ]).toBuffer();
    const sheet = await readRows(file(new Uint8Array(made), 'list.xlsx'));
    expect(sheet.paddedColumns).toEqual(new Set());
    expect(cellsOf(sheet)).toEqual([
      ['学号', '姓名'],
      ['20260101', '李伟'],
      ['a', ''],
    ]);
  });

  it('reads CSV in UTF-8, UTF-16 and GB 18030, with comma, semicolon or tab', async () => {
    const expected = [
      ['学号', '姓名'],
      ['a', '李伟'],
    ];
    const utf16 = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from('学号\t姓名\r\na\t李伟\r\n', 'utf16le'),
    ]);
    const gb = new Uint8Array([
      0xd1, 0xa7, 0xba, 0xc5, 0x2c, 0xd0, 0xd5, 0xc3, 0xfb, 0x0a, 0x61, 0x2c, 0xc0, 0xee, 0xce, 0xb0,
    ]);
    expect(cellsOf(await readRows(file('\uFEFF学号;姓名\na;李伟\n\n', 'a.csv')))).toEqual(expected);
    expect(cellsOf(await readRows(file(new Uint8Array(utf16), 'b.csv')))).toEqual(expected);
    expect(cellsOf(await readRows(file(gb, 'c.csv')))).toEqual(expected);
  });

  it('keeps the line number of each row, although empty rows are omitted', async () => {
    const lines = ({ rows }: Sheet) => rows.map(({ line, cells: [first] }) => [line, first]);
    const made = await writeExcelFile([['学号'], [null], ['a'], [''], ['b']]).toBuffer();
    const expected = [
      [1, '学号'],
      [3, 'a'],
      [5, 'b'],
    ];
    expect(lines(await readRows(file(new Uint8Array(made), 'list.xlsx')))).toEqual(expected);
    expect(lines(await readText('学号\r\n\r\na\r\n \r\nb\r\n'))).toEqual(expected);
    const sparse = await readText('学号;姓名\n\n\n\n\na;李伟');
    expect(sparse.rows.at(-1)).toEqual({ line: 6, cells: ['a', '李伟'] });
  });

  it.each([
    ['000', []],
    ['"S"0000_ ', [0]],
    ['0.00', []],
    ['#,##0.00', []],
    ['h:mm:ss.000', []],
  ])('reports that numbers shown as %s may lack zeros: columns %j', async (format, columns) => {
    const made = await writeExcelFile([[{ value: 7, type: Number, format }, '李伟']]).toBuffer();
    const { paddedColumns } = await readRows(file(new Uint8Array(made), 'list.xlsx'));
    expect([...paddedColumns]).toEqual(columns);
  });

  it('reports that when a format contains the end of a tag', () => {
    const styles = '<numFmts><numFmt numFmtId="164" formatCode="[>9]000"/></numFmts>';
    expect(shownDigits({ sheet: '', styles }).hasOthers).toBe(true);
  });

  it('keeps leading zeros that the file displays', async () => {
    const number = (value: number, format: string) => ({ value, type: Number, format });
    const made = await writeExcelFile([
      ['学号', '姓名'],
      [number(2601003, '00000000'), number(3, '00_ ')],
      [],
      ['02601004', { value: 12345, type: Number }],
      [number(7, '0000;-0000'), number(1234, '000')],
    ]).toBuffer();
    expect(cellsOf(await readRows(file(new Uint8Array(made), 'list.xlsx')))).toEqual([
      ['学号', '姓名'],
      ['02601003', '03'],
      ['02601004', '12345'],
      ['0007', '1234'],
    ]);
  });

  it('keeps leading zeros when the table does not begin in the first cell', async () => {
    const number = { value: 7, type: Number, format: '000' };
    const made = await writeExcelFile([[], [null, null, 'a'], [null, number, null, number]]).toBuffer();
    const { rows, paddedColumns } = await readRows(file(new Uint8Array(made), 'list.xlsx'));
    expect(rows.map(({ cells }) => cells.filter(Boolean))).toEqual([['a'], ['007', '007']]);
    expect(paddedColumns).toEqual(new Set());
  });

  it('keeps quoted separators and line breaks in their cell', async () => {
    expect(cellsOf(await readText('a,"b, c"\nd,"e\nf"'))).toEqual([
      ['a', 'b, c'],
      ['d', 'e\nf'],
    ]);
  });

  it('names the reason why a file is not a table', async () => {
    const reasonOf = (promise: Promise<unknown>) =>
      promise.then(
        () => null,
        (error: unknown) => (error instanceof UnreadableFile ? error.reason : error),
      );
    expect(await reasonOf(readRows(file('PK not a zip at all', 'a.xlsx')))).toBe('broken');
    expect(await reasonOf(readRows(file('with a password', 'a.xlsx')))).toBe('broken');
    expect(await reasonOf(readRows(file('\n\n', 'a.csv')))).toBe('empty');
    expect(await reasonOf(readRows(file(new Uint8Array(10 * 1024 * 1024 + 1), 'a.csv')))).toBe('tooLarge');
  });
});

describe('Writing a table', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1 ＋1', "'＝1 ＋1"],
    ['  =1+1', "  '=1+1"],
    ['\u00A0=1', "\u00A0'=1"],
    ['\u3000＝1', "\u3000'＝1"],
    ['\uFEFF\u200B=1', "\uFEFF\u200B'=1"],
    ['\t=1', "\t'=1"],
    ['\r=1', "\r'=1"],
    ['x;=1+1', "x;'=1+1"],
    ['x\t=1', "x\t'=1"],
    ['x| -1', "x| '-1"],
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
