import { strToU8 } from 'fflate';
import { describe, expect, it } from 'vitest';
import { odsCell, odsOfXml, odsRow } from './testing/ods-of-xml.ts';
import { readCells, readSheet, reasonOf } from './testing/reading.ts';
import { uint16Bytes, unicodeString, xlsOfRecords } from './testing/xls-of-records.ts';
import { numericReferences, type XlsxXml, xlsxOfXml } from './testing/xlsx-of-xml.ts';

const inline = (text: string) => `inlineStr:<is><t>${text}</t></is>`;
const rowAt = (row: string, cell: string) =>
  ({ content: `<sheetData><row r="${row}"><c r="${cell}"><v>1</v></c></row></sheetData>` }) as const;

const sheetNames = (count: number) => Array(count).fill('S').join('" sheetId="1" r:id="rId1"/><sheet name="');

/** Changes the sizes that a zip file claims for its parts. The real sizes stay. */
async function withClaim(xml: XlsxXml, claim: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = Buffer.from(await xlsxOfXml(xml).arrayBuffer());
  const entry = Buffer.from([0x50, 0x4b, 1, 2]);
  for (let at = bytes.indexOf(entry); at !== -1; at = bytes.indexOf(entry, at + 1)) {
    if (bytes.toString('latin1', at + 46).startsWith('xl/worksheets')) bytes.writeUInt32LE(claim, at + 24);
  }
  return new Uint8Array(bytes);
}

describe('A hostile .xlsx file', () => {
  it.each([100_000_001, 2 ** 31])(
    'is refused before it is unpacked when a part claims %d bytes',
    async (claim) => {
      expect(await reasonOf(await withClaim({ cells: [inline('a')] }, claim))).toBe('tooLarge');
    },
  );

  it('is refused when a part is larger than it claims, so that no rows are lost', async () => {
    expect(await reasonOf(await withClaim({ cells: Array(100).fill(inline('a')) }, 2000))).toBe('broken');
  });

  it.each([
    ['a row beyond the last', rowAt('16000000', 'A16000000'), 'tooLarge'],
    ['a row beyond all numbers', rowAt('1', 'A99999999999'), 'tooLarge'],
    ['a column beyond the last', rowAt('1', 'XFE1'), 'tooLarge'],
    ['a row before the first', rowAt('1', 'A0'), 'broken'],
    ['a place without a column', rowAt('1', '1'), 'broken'],
    ['a billion columns', { content: '<cols><col min="1" max="1000000000"/></cols><sheetData/>' }, 'broken'],
    [
      'two million cells',
      { content: `<sheetData><row>${'<c></c>'.repeat(2_000_001)}</row></sheetData>` },
      'tooLarge',
    ],
    [
      'a wide row above many',
      {
        content: `<sheetData><row><c r="XFD1"><v>1</v></c></row>${'<row><c><v>1</v></c></row>'.repeat(200)}</sheetData>`,
      },
      'tooLarge',
    ],
    ['a text that it lacks', { cells: ['s:<v>7</v>'] }, 'broken'],
    ['over 500 worksheets', { cells: [inline('a')], sheetName: sheetNames(501) }, 'tooLarge'],
  ])('is refused for %s', async (_, xml, reason) => {
    expect(await reasonOf(xlsxOfXml(xml))).toBe(reason);
  });

  it('takes no memory for links and merged cells over the whole sheet, or a worksheet named 500 times', async () => {
    const area = 'A1:XFD1048576';
    const content = `<sheetData><row><c><v>1</v></c></row></sheetData><mergeCells><mergeCell ref="${area}"/></mergeCells><hyperlinks><hyperlink ref="${area}" location="A1"/></hyperlinks>`;
    const { rows, worksheets } = await readSheet(xlsxOfXml({ content, sheetName: sheetNames(500) }));
    expect([rows.map(({ cells }) => cells), worksheets]).toEqual([[['1']], ['S']]);
  });

  it('is refused if it declares entities of its own, which could grow without limit', async () => {
    const laughs = [...'bcdefghij'].map(
      (name, index) => `<!ENTITY ${name} "${`&${'abcdefghi'[index]};`.repeat(10)}">`,
    );
    const encode = (xml: string) => strToU8(`<!DOCTYPE a [<!ENTITY a "ha">${laughs.join('')}]>${xml}`);
    expect(await reasonOf(xlsxOfXml({ cells: [inline('&j;')], encode }))).toBe('text');
  });

  it('is read however deep its elements nest', async () => {
    const deep = `<x>`.repeat(20_000) + numericReferences('𠮷') + '</x>'.repeat(20_000);
    const content = `<sheetData><row><c t="inlineStr"><is><t>a</t></is></c></row></sheetData>${deep}`;
    expect(await readCells(xlsxOfXml({ content }))).toEqual([['a']]);
  });

  it.each(['__proto__', 'constructor'])('changes no object when its names are %s', async (name) => {
    const shared = { cells: ['s:<v>0</v>'], strings: [`<t>${name}</t>`], sheetName: name };
    const encode = (xml: string) => strToU8(xml.replaceAll(' r="1"', ` r="1" ${name}="1"`));
    const { rows, worksheets } = await readSheet(xlsxOfXml({ ...shared, encode }));
    expect([rows[0]?.cells, worksheets]).toEqual([[name], [name]]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe('A hostile .ods file', () => {
  const wide = odsCell('a', 'table:number-columns-repeated="16384"');
  const endless = 'table:number-columns-repeated="1e308"';
  const twice = odsRow(odsCell('a', 'table:number-columns-repeated="2"'), 1_000_000);

  it.each([
    ['repeated rows before a cell', odsRow('', 1e308).repeat(2) + odsRow(odsCell('a'))],
    ['a row beyond the last', odsRow('', 2 ** 20) + odsRow(odsCell('a'))],
    ['a row without end', odsRow(odsCell('a'), 1e308)],
    ['repeated cells before a cell', odsRow(`<table:table-cell ${endless}/>${odsCell('a')}`)],
    ['a cell without end', odsRow(odsCell('a', endless))],
    [
      'covered cells without end',
      odsRow(`${odsCell('a')}<table:covered-table-cell table:number-columns-repeated="999999999"/>`),
    ],
    ['a wide row below many', odsRow(odsCell('a'), 200) + odsRow(wide)],
    [
      'two million cells in two worksheets',
      `${odsRow(odsCell('a'))}</table:table><table:table table:name="T">${twice}`,
    ],
    ['over 500 worksheets', '</table:table><table:table table:name="S">'.repeat(500)],
  ])('is refused for %s', async (_, table) => {
    expect(await reasonOf(odsOfXml(table))).toBe('tooLarge');
  });

  it('is read when only empty cells repeat, blanks are many, and elements nest deep', async () => {
    const deep = `${'<text:span>'.repeat(20_000)}a<text:s text:c="999999999"/>b${'</text:span>'.repeat(20_000)}`;
    const empty = odsRow(`<table:table-cell ${endless}/>`, 1e308).repeat(2);
    expect(await readCells(odsOfXml(odsRow(odsCell(deep)) + empty))).toEqual([[`a${' '.repeat(99)}b`]]);
    expect(await reasonOf(odsOfXml(empty))).toBe('empty');
  });
});

describe('A hostile .xls file', () => {
  it('is refused as broken when its sectors form a circle, or are missing', async () => {
    const bytes = xlsOfRecords([[0x204, uint16Bytes(0, 0, 0), unicodeString('a')]]);
    expect(await readCells(bytes)).toEqual([['a']]);
    expect(await reasonOf(bytes.subarray(0, 600))).toBe('broken');
    new DataView(bytes.buffer).setUint32(512 + 4 * 3, 2, true);
    expect(await reasonOf(bytes)).toBe('broken');
  });
});
