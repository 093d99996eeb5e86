import { createExcelFile, createWorkbook } from 'excel-builder-vanilla';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tableBlob } from './table-blob.ts';
import { readCells, readSheet, reasonOf } from './testing/reading.ts';
import { awkwardTexts, cellText } from './testing/text-samples.ts';
import { numericReferences, type XlsxXml, xlsxOfXml } from './testing/xlsx-of-xml.ts';

const firstColumn = async (xml: XlsxXml) => (await readCells(xlsxOfXml(xml))).map(([first]) => first);
const refusalOf = (xml: XlsxXml) => reasonOf(xlsxOfXml(xml));

const inline = (xml: string) => `inlineStr:<is><t>${xml}</t></is>`;
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('_x', '_x005F_x');

describe('Text of an XLSX file', () => {
  it.each([
    ['numbers of characters', (text: string) => numericReferences(text)],
    ['hexadecimal numbers', (text: string) => numericReferences(text, 16)],
    [
      'numbers with zeros before them',
      (text: string) => numericReferences(text).replaceAll('&#', '&#000000'),
    ],
    ['characters', escaped],
    ['CDATA', (text: string) => `<![CDATA[${text}]]>`],
    ['text with comments between', (text: string) => [...text].map(escaped).join('<!-- & &#0; -->')],
  ])('is read character by character when written as %s', async (_, write) => {
    const texts = awkwardTexts.filter((text) => !text.includes('_x'));
    const shared = texts.map((text) => `<t xml:space="preserve">${write(text)}</t>`);
    const written = texts.map(write);
    const references = texts.map((_, index) => `s:<v>${index}</v>`);
    expect(await firstColumn({ cells: references, strings: shared })).toEqual(texts);
    expect(await firstColumn({ cells: written.map(inline) })).toEqual(texts);
    expect(await firstColumn({ cells: written.map((xml) => `str:<f>A1</f><v>${xml}</v>`) })).toEqual(texts);
  });

  it('is complete when each character has its own format, without phonetic readings', async () => {
    const runs = [...'𠮷田👩‍👧']
      .map((letter) => `<r><rPr><b/></rPr><t>${numericReferences(letter)}</t></r>`)
      .join('');
    const phonetic = '<rPh sb="0" eb="1"><t>よしだ</t></rPh><phoneticPr fontId="1"/>';
    const strings = [runs, `<t>𠮷田</t>${phonetic}`, runs + phonetic];
    const cells = strings.map((string) => `inlineStr:<is>${string}</is>`);
    const expected = ['𠮷田👩‍👧', '𠮷田', '𠮷田👩‍👧'];
    const shared = strings.map((_, index) => `s:<v>${index}</v>`);
    expect(await firstColumn({ cells: shared, strings })).toEqual(expected);
    expect(await firstColumn({ cells })).toEqual(expected);
  });

  it.each([
    ['has such characters', numericReferences('𠮷田 & 1')],
    ['contains the end of a tag', "a>b 'c' />"],
  ])('is read when the sheet name %s', async (_, sheetName) => {
    expect(await firstColumn({ cells: [inline('a')], sheetName })).toEqual(['a']);
  });

  it.each(['<!--', '<?', '<![CDATA['])('is rejected when one of 100,000 %s is unclosed', async (open) => {
    expect(await refusalOf({ cells: [inline(open.repeat(100_000))] })).toBe('text');
  });

  it('may be escaped by _xHHHH_, even in surrogate halves, or as two surrogate references', async () => {
    const texts = {
      _x0041_: 'A',
      _x005F_x0041_: '_x0041_',
      _xD842__xDFB7_田: '𠮷田',
      _x004_: '_x004_',
      __x4E00__: '_一_',
      '&#xD842;&#xDFB7;田': '𠮷田',
    };
    const cells = Object.keys(texts).map(inline);
    expect(await firstColumn({ cells })).toEqual(Object.values(texts));
  });

  it('is read in UTF-16 with a byte order mark', async () => {
    const encode = (xml: string) =>
      new Uint8Array(Buffer.from(`\uFEFF<?xml version="1.0" encoding="UTF-16"?>${xml}`, 'utf16le'));
    expect(await firstColumn({ cells: [inline('𠮷田')], encode })).toEqual(['𠮷田']);
  });

  it('is complete in a file of 2,000 rows', async () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `${index}𠮷田`);
    expect(await firstColumn({ cells: names.map((name) => inline(numericReferences(name))) })).toEqual(names);
  });

  it.each([
    'a&#0;',
    'a&#xD800;',
    'a&#xDFB7;&#xD842;',
    'a&#x110000;',
    'a&#99999999999999999999;',
    'a&#xFFFE;',
    'a&#1;',
    'a&nbsp;b',
    'a & b',
    '_xD842_a',
  ])('is rejected when it refers to an invalid character: %s', async (xml) => {
    expect(await refusalOf({ cells: [inline(xml)] })).toBe('text');
    expect(await refusalOf({ cells: ['s:<v>0</v>'], strings: [`<t>${xml}</t>`] })).toBe('text');
  });

  it('is rejected with invalid bytes', async () => {
    const latin1 = (xml: string) => new Uint8Array(Buffer.from(xml, 'latin1'));
    expect(await refusalOf({ cells: [inline('José')], encode: latin1 })).toBe('text');
  });

  it('is read from a file of another library', async () => {
    const workbook = createWorkbook();
    const sheet = workbook.createWorksheet({ name: '𠮷 & 田' });
    // This library escapes nothing and fails on names that all JavaScript objects inherit.
    const texts = awkwardTexts.filter((text) => !text.includes('_x') && !(text in Object.prototype));
    sheet.setData(texts.map((text, index) => [text, index]));
    workbook.addWorksheet(sheet);
    const bytes = await createExcelFile(workbook, 'Uint8Array');
    expect(await readCells(bytes.slice())).toEqual(texts.map((text, index) => [text, String(index)]));
  });

  it('is read as our own export wrote it', async () => {
    const property = fc.asyncProperty(fc.array(cellText, { minLength: 1, maxLength: 5 }), async (texts) => {
      const rows = texts.map((text, index) => [`u${index}`, text]);
      const blob = await tableBlob({ header: ['学号', '姓名'], rows }, 'xlsx');
      expect(await readCells(blob)).toEqual([['学号', '姓名'], ...rows]);
    });
    await fc.assert(property, { numRuns: 30 });
  });
});

describe('Number in an XLSX file', () => {
  it.each([
    ['370102201001011234', '3.70102E+17'],
    ['3.70102201001011E+17', '3.70102E+17'],
    ['1000000000000000', '1E+15'],
    ['999999999999999', '999999999999999'],
    ['0.30000000000000004', '0.3'],
    ['-12', '-12'],
  ])('%s is read as a spreadsheet shows it, without lost digits: %s', async (value, shown) => {
    expect(await firstColumn({ cells: [`n:<v>${value}</v>`] })).toEqual([shown]);
  });

  it('has the digits that a spreadsheet stores, and no digits if another program wrote more', async () => {
    const digits: [value: string, digits: string | undefined][] = [
      ['3701022010010110000', '3701022010010110000'],
      ['3.70102201001011E+17', '370102201001011000'],
      ['1e15', '1000000000000000'],
      ['370102201001011234', undefined],
      ['7', undefined],
      ['-1e18', undefined],
    ];
    const { rows } = await readSheet(xlsxOfXml({ cells: digits.map(([value]) => `n:<v>${value}</v>`) }));
    expect(rows.map((row) => row.digits?.get(0))).toEqual(digits.map(([, expected]) => expected));
  });
});
