import { readFile } from 'node:fs/promises';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import writeExcelFile, { type SheetData } from 'write-excel-file/node';
import { odsCell, odsNumber, odsOfXml, odsRow } from './testing/ods-of-xml.ts';
import { readCells, readSheet, reasonOf } from './testing/reading.ts';
import { uint16Bytes, unicodeString, xlsOfRecords } from './testing/xls-of-records.ts';
import { xlsxOfXml } from './testing/xlsx-of-xml.ts';

/** Written by LibreOffice 7.4. */
const saved = async (ending: string) =>
  new Uint8Array(await readFile(new URL(`testing/files/list.${ending}`, import.meta.url)));

describe.each(['xlsx', 'xls', 'ods'])('An .%s file', (ending) => {
  it('is read as text, including rich text, merged cells, dates and long numbers', async () => {
    const { rows, worksheets, worksheet, paddedColumns } = await readSheet(await saved(ending));
    // The hidden worksheet is left out, and the first one is empty.
    expect([worksheets, worksheet]).toEqual([['说明 & 空', '七年级', '八年级'], 1]);
    expect(paddedColumns).toEqual(new Set());
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 3, 4, 8, 9]);
    expect(rows.slice(0, 5).map(({ cells }) => cells)).toEqual([
      ['七年级学生名单', '', '', '', '', ''],
      ['学号', '姓名', '班级', '学籍号', '入学日期', '备注'],
      ['00000007', '𠮷野家', '一班', 'G370102201001011234', '2026-09-01', 'a\nb <&>'],
      ['20260102', '张  三', '（1）班', '3.70102E+17', '', '1.5'],
      ['20260103', 'José Müller', '1', '', '', expect.any(String)],
    ]);
    expect(rows[5]?.cells).toMatchObject({ 0: '20260104', 1: 'O’Neil & Söhne', 3: '1.23E+18', 5: '-2.25' });
  });

  it('is read at the requested worksheet', async () => {
    const { rows, worksheet } = await readSheet(await saved(ending), 'a.dat', 2);
    expect([worksheet, rows.length]).toEqual([2, 221]);
    expect(rows[0]?.cells).toEqual(['学号', '姓名', '班级']);
    expect(rows[220]?.cells).toEqual(['u219', 'Ordinary name 219', '二班']);
    expect(rows[219]?.cells[1]).toBe(`${'名字很长的学生'.repeat(6)}218`);
  });

  it('is rejected as broken when truncated', async () => {
    const bytes = await saved(ending);
    for (const share of [0.3, 0.6, 0.9]) {
      expect(await reasonOf(bytes.subarray(0, Math.floor(bytes.length * share)))).toBe('broken');
    }
  });
});

describe('An .xls file', () => {
  it('gives formula results, and compact numbers as shown', async () => {
    const text = [...uint16Bytes(0, 0, 0), 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...uint16Bytes(0, 0, 0, 0)];
    const truth = [...uint16Bytes(0, 1, 0), 1, 0, 1, 0, 0, 0, 0xff, 0xff, ...uint16Bytes(0, 0, 0, 0)];
    const fault = [...uint16Bytes(0, 2, 0), 2, 0, 7, 0, 0, 0, 0xff, 0xff, ...uint16Bytes(0, 0, 0, 0)];
    const short = (value: number) => uint16Bytes(value & 0xffff, value >>> 16);
    const whole = short((20260101 << 2) | 2);
    const hundredths = short((150 << 2) | 3);
    const bytes = xlsOfRecords([
      [0x06, text],
      [0x207, unicodeString('五班')],
      [0x06, truth],
      [0x06, fault],
      [0xbd, uint16Bytes(1, 0, 0), whole, uint16Bytes(0), hundredths, uint16Bytes(1)],
      [0x27e, uint16Bytes(1, 2, 0), short(-7 * 4 + 2)],
    ]);
    expect(await readCells(bytes)).toEqual([
      ['五班', 'true', ''],
      ['20260101', '1.5', '-7'],
    ]);
  });

  it('is rejected with its reason: a password, an older Excel or another program', async () => {
    expect(await reasonOf(xlsOfRecords([[0x2f, 0, 0]], { stream: 'EncryptedPackage' }))).toBe('locked');
    expect(await reasonOf(xlsOfRecords([[0x2f, uint16Bytes(0, 0, 0)]]))).toBe('locked');
    expect(await reasonOf(xlsOfRecords([], { stream: 'Book' }))).toBe('otherExcel');
    expect(await reasonOf(xlsOfRecords([], { version: 0x500 }))).toBe('otherExcel');
    expect(await reasonOf(xlsOfRecords([], { stream: 'WordDocument' }))).toBe('document');
    expect(await reasonOf(xlsOfRecords([], { stream: 'Contents' }))).toBe('kind');
    expect(await reasonOf(xlsOfRecords([]))).toBe('empty');
  });
});

describe('An .ods file', () => {
  it('is read character by character in any notation, without phonetic guides', async () => {
    const texts = [
      '&#134071;&#x7530;',
      '<text:span>𠮷</text:span><text:span>田</text:span>',
      '<![CDATA[𠮷]]>田',
      '\n 𠮷田\n ',
      '<text:ruby><text:ruby-base>𠮷田</text:ruby-base><text:ruby-text>よしだ</text:ruby-text></text:ruby>',
    ];
    const rows = texts.map((text) => odsRow(odsCell(text))).join('');
    expect(await readCells(odsOfXml(rows))).toEqual(texts.map(() => ['𠮷田']));
    expect(await readCells(odsOfXml(odsRow(odsCell('_x0041_ &amp;lt;'))))).toEqual([['_x0041_ &lt;']]);
    const spaced = odsCell('a<text:s text:c="2"/>b', 'table:number-columns-repeated="2"');
    expect(await readCells(odsOfXml(odsRow(spaced, 2)))).toEqual([
      ['a  b', 'a  b'],
      ['a  b', 'a  b'],
    ]);
  });

  it('is read as shown: leading zeros, days, booleans, and columns with a prefix', async () => {
    const value = (type: string, of: string) =>
      `<table:table-cell office:value-type="${type}" office:${type}-value="${of}"><text:p>?</text:p></table:table-cell>`;
    const numbers = odsNumber(7, 'S007') + odsNumber(7, '007');
    const others = value('date', '2026-09-01') + value('boolean', 'true');
    const { rows, paddedColumns } = await readSheet(odsOfXml(odsRow(numbers + others)));
    expect([rows[0]?.cells, [...paddedColumns]]).toEqual([['7', '007', '2026-09-01', 'true'], [0]]);
  });

  it('is rejected when locked, and its hidden worksheet is left out', async () => {
    const locked = odsOfXml(odsRow(odsCell('a')), { manifest: '<manifest:encryption-data/>' });
    expect(await reasonOf(locked)).toBe('locked');
    const styles =
      '<style:style style:name="off"><style:table-properties table:display="false"/></style:style>';
    const two = `${odsRow(odsCell('a'))}</table:table><table:table table:name="T">${odsRow(odsCell('b'))}`;
    const hidden = await readSheet(odsOfXml(two, { styles, attributes: 'table:style-name="off"' }));
    expect(hidden).toMatchObject({ worksheets: ['T'], rows: [{ cells: ['b'] }] });
  });
});

describe('An .xlsx file', () => {
  const number = (value: number, format: string) => ({ value, type: Number, format });
  const written = async (...rows: SheetData) => new Uint8Array(await writeExcelFile(rows).toBuffer());

  it.each([
    ['000', []],
    ['"S"0000_ ', [0]],
    ['0.00', []],
    ['#,##0.00', []],
    ['h:mm:ss.000', []],
  ])('reports whether numbers shown as %s lack zeros: columns %j', async (format, columns) => {
    const { paddedColumns } = await readSheet(await written([number(7, format), '李伟']));
    expect([...paddedColumns]).toEqual(columns);
  });

  it('is read with the leading zeros that it shows, wherever the table begins', async () => {
    const file = await written(
      [],
      [null, '学号', '姓名'],
      [null, number(2601003, '00000000'), number(3, '00_ ')],
      [],
      [null, '02601004', { value: 12345, type: Number }],
      [null, number(7, '0000;-0000'), number(1234, '000')],
    );
    expect((await readSheet(file)).rows.map(({ line, cells }) => [line, ...cells])).toEqual([
      [2, '', '学号', '姓名'],
      [3, '', '02601003', '03'],
      [5, '', '02601004', '12345'],
      [6, '', '0007', '1234'],
    ]);
  });
});

const inline = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
const sheetData = (cells: string) => `<sheetData><row r="1">${cells}</row></sheetData>`;
const xlsText = (row: number, column: number, text: string) =>
  [0x204, uint16Bytes(row, column, 0), unicodeString(text)] as const;
const xlsFormula = (column: number, result: number) => {
  const shown = [...new Uint8Array(new Float64Array([result]).buffer)];
  return [0x06, uint16Bytes(0, column, 0), shown, uint16Bytes(0, 0, 0, 0)] as const;
};

const headings = ['姓名', '身份证号', '班级'];
const hiddenColumn = '<cols><col min="2" max="2" width="9" hidden="1"/></cols>';
const merged = '<mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="A1:C1"/></mergeCells>';

const filesOf: Readonly<Record<string, Readonly<Record<'hidden' | 'formulas' | 'merged', BlobPart>>>> = {
  xlsx: {
    hidden: xlsxOfXml({
      content: hiddenColumn + sheetData(headings.map((text, at) => inline(`${'ABC'[at]}1`, text)).join('')),
    }),
    formulas: xlsxOfXml({
      content: sheetData(
        `${inline('A1', 'a')}<c r="B1"><f>A1</f><v></v></c><c r="C1"><f>A1</f><v>0</v></c><c r="D1"><f>2+3</f><v>5</v></c><c r="E1" t="str"><f>A1</f><v></v></c>`,
      ),
    }),
    merged: xlsxOfXml({ content: sheetData(inline('A1', '1')) + merged }),
  },
  xls: {
    hidden: xlsOfRecords([
      [0x7d, uint16Bytes(1, 1, 2000, 0, 1)],
      ...headings.map((text, column) => xlsText(0, column, text)),
    ]),
    formulas: xlsOfRecords([xlsText(0, 0, 'a'), xlsFormula(1, 0), xlsFormula(2, 0), xlsFormula(3, 5)]),
    merged: xlsOfRecords([
      xlsText(0, 0, '1'),
      xlsText(1, 1, '2'),
      [0xe5, uint16Bytes(2, 0, 1, 0, 0, 0, 0, 0, 2)],
    ]),
  },
  ods: {
    hidden: odsOfXml(
      `<table:table-column/><table:table-column table:visibility="collapse"/>${odsRow(headings.map((text) => odsCell(text)).join(''))}`,
    ),
    formulas: odsOfXml(
      odsRow(
        `${odsCell('a')}<table:table-cell table:formula="=A1"/>${odsNumber(0, '0', 'table:formula="=A1"')}${odsNumber(5, '5', 'table:formula="=5"')}`,
      ),
    ),
    merged: odsOfXml(
      odsRow(odsCell('1', 'table:number-rows-spanned="2"')) +
        odsRow(`<table:covered-table-cell/>${odsCell('2')}`),
    ),
  },
};

describe.each(Object.entries(filesOf))('An .%s file', (_, files) => {
  it('is read without its hidden column, which is counted', async () => {
    const { rows, hiddenColumns } = await readSheet(files.hidden);
    expect(rows.map(({ cells }) => cells)).toEqual([['姓名', '班级']]);
    expect(hiddenColumns).toBe(1);
  });

  it('has an empty cell for a formula without a result, and its column is reported', async () => {
    const { rows, uncalculated } = await readSheet(files.formulas);
    expect(rows.map(({ cells }) => cells)).toEqual([['a', '', '', '5']]);
    expect([...uncalculated]).toEqual([1, 2]);
  });

  it('is read with its merged cells that span rows', async () => {
    expect((await readSheet(files.merged)).merges).toEqual([{ column: 0, from: 1, to: 2 }]);
  });
});

const zipOf = (...names: string[]) =>
  zipSync(Object.fromEntries(names.map((name) => [name, strToU8('a')]))).slice();

it.each<[BlobPart, string, string]>([
  ['%PDF-1.7 学号,姓名', 'list.csv', 'pdf'],
  [new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), 'list.xlsx', 'picture'],
  [new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), 'list', 'picture'],
  [zipOf('word/document.xml'), 'list.docx', 'document'],
  [zipOf('a.csv'), 'list.zip', 'archive'],
  ['Rar!\x1A', 'list.rar', 'archive'],
  [zipOf('xl/workbook.bin'), 'list.xlsb', 'otherExcel'],
  [zipOf('Index/Document.iwa'), 'list.numbers', 'kind'],
  ['\n<html><table><tr><td>学号</td></tr></table></html>', 'list.xls', 'webPage'],
  ['<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>', 'list.xls', 'webPage'],
  ['PK not a zip at all', 'list.xlsx', 'broken'],
  ['\n\n', 'list.csv', 'empty'],
  [new Uint8Array(10 * 1024 * 1024 + 1), 'list.csv', 'tooLarge'],
])(
  'a file without a list is rejected for its real kind, despite its name: %#',
  async (bytes, name, reason) => {
    expect(await reasonOf(bytes, name)).toBe(reason);
  },
);

it('tab-separated text named .xls is read', async () => {
  expect(await readCells(strToU8('学号\t姓名\n1\t李伟'), 'list.xls')).toEqual([
    ['学号', '姓名'],
    ['1', '李伟'],
  ]);
});
