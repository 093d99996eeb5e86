import { readFile } from 'node:fs/promises';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readRows } from './read-rows.ts';
import { wideText, words, xlsOfRecords } from './testing/xls-of-records.ts';
import { xlsxOfXml } from './testing/xlsx-of-xml.ts';
import { UnreadableFile } from './unreadable-file.ts';

const fileOf = (bytes: Uint8Array | string, name: string) =>
  Object.assign(new Blob([typeof bytes === 'string' ? bytes : bytes.slice()]), { name });
const cellsOf = async (bytes: Uint8Array, name = 'list') =>
  (await readRows(fileOf(bytes, name))).rows.map(({ cells }) => cells);
const reasonOf = (bytes: Uint8Array | string, name = 'list') =>
  readRows(fileOf(bytes, name)).then(
    () => null,
    (error: unknown) => (error instanceof UnreadableFile ? error.reason : error),
  );
/** Written by LibreOffice 7.4. */
const saved = (ending: string) => readFile(new URL(`testing/files/list.${ending}`, import.meta.url));

describe.each(['xlsx', 'xls', 'ods'])('An .%s file', (ending) => {
  it('is read as text, including rich text, merged cells, dates and long numbers', async () => {
    const { rows, worksheets, worksheet, paddedColumns } = await readRows(
      fileOf(await saved(ending), 'a.dat'),
    );
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
    const { rows, worksheet } = await readRows(fileOf(await saved(ending), 'a.dat'), 2);
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
    const text = [...words(0, 0, 0), 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...words(0, 0, 0, 0)];
    const truth = [...words(0, 1, 0), 1, 0, 1, 0, 0, 0, 0xff, 0xff, ...words(0, 0, 0, 0)];
    const fault = [...words(0, 2, 0), 2, 0, 7, 0, 0, 0, 0xff, 0xff, ...words(0, 0, 0, 0)];
    const short = (value: number) => words(value & 0xffff, value >>> 16);
    expect(
      await cellsOf(
        xlsOfRecords([
          [0x06, text],
          [0x207, wideText('五班')],
          [0x06, truth],
          [0x06, fault],
          [
            0xbd,
            words(1, 0),
            words(0),
            short((20260101 << 2) | 2),
            words(0),
            short((150 << 2) | 3),
            words(1),
          ],
          [0x27e, words(1, 2, 0), short(-7 * 4 + 2)],
        ]),
      ),
    ).toEqual([
      ['五班', 'true', ''],
      ['20260101', '1.5', '-7'],
    ]);
  });

  it('is rejected with its reason: a password, an older Excel or another program', async () => {
    expect(await reasonOf(xlsOfRecords([[0x2f, 0, 0]], { stream: 'EncryptedPackage' }))).toBe('locked');
    expect(await reasonOf(xlsOfRecords([], { stream: 'Book' }))).toBe('otherExcel');
    expect(await reasonOf(xlsOfRecords([], { version: 0x500 }))).toBe('otherExcel');
    expect(await reasonOf(xlsOfRecords([], { stream: 'WordDocument' }))).toBe('document');
    expect(await reasonOf(xlsOfRecords([], { stream: 'Contents' }))).toBe('kind');
    expect(await reasonOf(xlsOfRecords([]))).toBe('empty');
  });

  it('is rejected as broken when its sector table has a cycle', async () => {
    const bytes = xlsOfRecords([[0x204, words(0, 0, 0), wideText('a')]]);
    expect(await cellsOf(bytes)).toEqual([['a']]);
    new DataView(bytes.buffer).setUint32(512 + 4 * 3, 2, true);
    expect(await reasonOf(bytes)).toBe('broken');
    expect(await reasonOf(bytes.subarray(0, 600))).toBe('broken');
  });
});

const ods = (content: string, manifest = '') =>
  zipSync({
    mimetype: strToU8('application/vnd.oasis.opendocument.spreadsheet'),
    'META-INF/manifest.xml': strToU8(manifest),
    'content.xml': strToU8(
      `<o:document-content xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:t="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:x="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><t:table t:name="S">${content}</t:table></o:document-content>`,
    ),
  });
const row = (cells: string, repeated = 1) =>
  `<t:table-row t:number-rows-repeated="${repeated}">${cells}</t:table-row>`;
const cell = (text: string, attributes = '') =>
  `<t:table-cell o:value-type="string" ${attributes}><x:p>${text}</x:p></t:table-cell>`;

describe('An .ods file', () => {
  it('is read character by character in any notation', async () => {
    const texts = [
      '&#134071;&#x7530;',
      '<x:span>𠮷</x:span><x:span>田</x:span>',
      '<![CDATA[𠮷]]>田',
      '\n 𠮷田\n ',
    ];
    expect(await cellsOf(ods(texts.map((text) => row(cell(text))).join('')))).toEqual(
      texts.map(() => ['𠮷田']),
    );
    expect(await cellsOf(ods(row(cell('a<x:s x:c="2"/>b', 't:number-columns-repeated="2"'), 2)))).toEqual([
      ['a  b', 'a  b'],
      ['a  b', 'a  b'],
    ]);
    const shown = (text: string) =>
      `<t:table-cell o:value-type="float" o:value="7"><x:p>${text}</x:p></t:table-cell>`;
    const { rows, paddedColumns } = await readRows(fileOf(ods(row(shown('S007') + shown('007'))), 'a.ods'));
    expect([rows[0]?.cells, [...paddedColumns]]).toEqual([['7', '007'], [0]]);
  });

  it('is rejected with its reason when locked, or too large for memory', async () => {
    expect(await reasonOf(ods(row(cell('a')), '<manifest:encryption-data/>'))).toBe('locked');
    const whole = cell('a', 't:number-columns-repeated="16384"');
    expect(await reasonOf(ods(row(cell('a'), 200) + row(whole)))).toBe('tooLarge');
    expect(await reasonOf(ods(row('<t:table-cell t:number-columns-repeated="16384"/>', 1_048_576)))).toBe(
      'empty',
    );
    const far = '<t:table-cell t:number-columns-repeated="1e308"/>';
    const wide = cell('a', 't:number-columns-repeated="1e308"');
    const twice = row(cell('a', 't:number-columns-repeated="2"'), 1_000_000);
    const full = `${row(cell('a'))}</t:table><t:table t:name="T">${twice}`;
    for (const content of [
      row('', 1e308).repeat(2) + row(cell('a'), 1e308),
      row('', 1_048_576) + row(cell('a')),
      row(cell('a'), 1e308),
      row(far + cell('a')),
      row(wide),
      full,
    ]) {
      expect(await reasonOf(ods(content))).toBe('tooLarge');
    }
    expect(await cellsOf(ods(row(cell('a')) + row(far, 1e308).repeat(2)))).toEqual([['a']]);
    const deep = `${'<x:span>'.repeat(100_000)}a${'</x:span>'.repeat(100_000)}`;
    expect(await cellsOf(ods(row(cell(deep))))).toEqual([['a']]);
  });
});

it.each(['xlsx', 'xls', 'ods'])(
  'an .%s file with over 500 worksheets is rejected as too large',
  async (ending) => {
    const fileOfWorksheets = async (count: number) => {
      if (ending === 'xls') {
        return xlsOfRecords([[0x204, words(0, 0, 0), wideText('a')]], { worksheets: count });
      }
      if (ending === 'ods') return ods(row(cell('a')) + '</t:table><t:table t:name="S">'.repeat(count - 1));
      const sheetName = Array(count).fill('S').join('" sheetId="1" r:id="rId1"/><sheet name="');
      return new Uint8Array(await xlsxOfXml({ cells: ['<v>1</v>'], sheetName }).arrayBuffer());
    };
    expect((await readRows(fileOf(await fileOfWorksheets(500), 'list'))).worksheets).toHaveLength(500);
    expect(await reasonOf(await fileOfWorksheets(501))).toBe('tooLarge');
  },
);

const xlsxWith = async (
  change: (sheet: string) => string,
  cells: readonly string[] = ['<v>1</v>', '<v>2</v>'],
) =>
  new Uint8Array(
    await xlsxOfXml({
      cells,
      encode: (xml) => strToU8(xml.includes('<sheetData>') ? change(xml) : xml),
    }).arrayBuffer(),
  );
const inXlsx =
  (cells: string, beside = '') =>
  (sheet: string) =>
    sheet.replace(/<sheetData>.*<\/sheetData>/, `${beside}<sheetData><row r="1">${cells}</row></sheetData>`);

describe('Distant cells in an .xlsx file', () => {
  it.each([
    '<c r="XFD1048576"><v>1</v></c>',
    '<c s=">" r="XFD1048576"><v>1</v></c>',
    '<c x-r="A1" r="XFD1048576"><v>1</v></c>',
    `<c s=" r='A1'" r="XFD1048576"><v>1</v></c>`,
    '<c r="A1" x:r="XFD1048576"><v>1</v></c>',
    '<c r="xfd1048576"><v>1</v></c>',
    '</row><row r="1e9"><c r="A1"><v>1</v></c>',
  ])('are rejected as too large in any notation: %s', async (cells) => {
    expect(await reasonOf(await xlsxWith(inXlsx(cells)))).toBe('tooLarge');
  });

  it.each(['A0', 'A1e9', 'ABCD1', '1', 'A-1'])(
    'are rejected as broken when they name no cell: %s',
    async (r) => {
      expect(await reasonOf(await xlsxWith(inXlsx(`<c r="${r}"><v>1</v></c>`)))).toBe('broken');
    },
  );
});

const attributes = (...pairs: [string, string | number][]) =>
  pairs.map(([key, value]) => ` t:${key}="${value}"`).join('');
const xlsText = (row: number, column: number, text: string): [number, number[], number[]] => [
  0x204,
  words(row, column, 0),
  wideText(text),
];
const inline = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
const xlsFormulaOf = (bytes: number[], row: number, column: number): [number, number[]] => [
  0x06,
  [...words(row, column, 0), ...bytes, ...words(0, 0, 0, 0)],
];

describe('Hidden column', () => {
  const files = {
    xlsx: () =>
      xlsxWith(
        inXlsx(
          inline('A1', '姓名') + inline('B1', '身份证号') + inline('C1', '班级'),
          '<cols><col min="2" max="2" width="9" hidden="1"/></cols>',
        ),
      ),
    xls: async () =>
      xlsOfRecords([
        [0x7d, words(1, 1, 2000, 0, 1)],
        xlsText(0, 0, '姓名'),
        xlsText(0, 1, '身份证号'),
        xlsText(0, 2, '班级'),
      ]),
    ods: async () =>
      ods(
        `<t:table-column/><t:table-column t:visibility="collapse"/>${row(cell('姓名') + cell('身份证号') + cell('班级'))}`,
      ),
  };

  it.each(Object.entries(files))('of an .%s file is skipped and counted', async (_, made) => {
    const { rows, hiddenColumns } = await readRows(fileOf(await made(), 'list'));
    expect(rows.map(({ cells }) => cells)).toEqual([['姓名', '班级']]);
    expect(hiddenColumns).toBe(1);
  });
});

describe('Formula without a result', () => {
  const five = [...new Uint8Array(new Float64Array([5]).buffer)];
  const files = {
    xlsx: () =>
      xlsxWith(
        inXlsx(
          inline('A1', 'a') +
            '<c r="B1"><f>A1</f><v></v></c><c r="C1"><f>A1</f><v>0</v></c><c r="D1"><f>2+3</f><v>5</v></c><c r="E1" t="str"><f>A1</f><v></v></c>',
        ),
      ),
    xls: async () =>
      xlsOfRecords([
        xlsText(0, 0, 'a'),
        xlsFormulaOf([0, 0, 0, 0, 0, 0, 0, 0], 0, 1),
        xlsFormulaOf([0, 0, 0, 0, 0, 0, 0, 0], 0, 2),
        xlsFormulaOf(five, 0, 3),
      ]),
    ods: async () =>
      ods(
        row(
          `${cell('a')}<t:table-cell${attributes(['formula', '=A1'])}/><t:table-cell t:formula="=A1" o:value-type="float" o:value="0"><x:p>0</x:p></t:table-cell><t:table-cell t:formula="=5" o:value-type="float" o:value="5"><x:p>5</x:p></t:table-cell>`,
        ),
      ),
  };

  it.each(Object.entries(files))(
    'in an .%s file is read as empty, and its column is reported',
    async (_, made) => {
      const { rows, uncalculated } = await readRows(fileOf(await made(), 'list'));
      expect(rows.map(({ cells }) => cells)).toEqual([['a', '', '', '5']]);
      expect([...uncalculated]).toEqual([1, 2]);
    },
  );
});

describe('Merged cells', () => {
  const files = {
    xlsx: () =>
      xlsxWith((sheet) =>
        sheet.replace(
          '</sheetData>',
          '</sheetData><mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="A1:C1"/></mergeCells>',
        ),
      ),
    xls: async () =>
      xlsOfRecords([xlsText(0, 0, '1'), xlsText(1, 1, '2'), [0xe5, words(2, 0, 1, 0, 0, 0, 0, 0, 2)]]),
    ods: async () =>
      ods(row(cell('1', 't:number-rows-spanned="2"')) + row(`<t:covered-table-cell/>${cell('2')}`)),
  };

  it.each(Object.entries(files))('of an .%s file are reported when they span rows', async (_, made) => {
    const { merges } = await readRows(fileOf(await made(), 'list'));
    expect(merges).toEqual([{ column: 0, from: 1, to: 2 }]);
  });
});

const zipOf = (...names: string[]) => zipSync(Object.fromEntries(names.map((name) => [name, strToU8('a')])));

it.each<[string | Uint8Array, string, string]>([
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
])(
  'a file without a list is rejected for its real kind, despite its name: %#',
  async (bytes, name, reason) => {
    expect(await reasonOf(bytes, name)).toBe(reason);
  },
);

it('tab-separated text named .xls is read', async () => {
  expect(await cellsOf(strToU8('学号\t姓名\n1\t李伟'), 'list.xls')).toEqual([
    ['学号', '姓名'],
    ['1', '李伟'],
  ]);
});
