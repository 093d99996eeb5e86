import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tableBlob } from './table-blob.ts';
import { readCells, readSheet, reasonOf } from './testing/reading.ts';
import { awkwardTexts, cellText } from './testing/text-samples.ts';

/** The GB 18030 bytes of characters below U+10000, found by decoding each possible sequence. */
const gb18030 = new Map<string, readonly number[]>();
const decoder = new TextDecoder('gb18030');
const addGb18030 = (bytes: number[]) => {
  const character = decoder.decode(new Uint8Array(bytes));
  if ([...character].length === 1 && character !== '\uFFFD' && !gb18030.has(character)) {
    gb18030.set(character, bytes);
  }
};
for (let first = 0; first < 0x80; first++) gb18030.set(String.fromCharCode(first), [first]);
for (let first = 0x81; first <= 0xfe; first++) {
  for (let second = 0x40; second <= 0xfe; second++) addGb18030([first, second]);
}
const fourBytes = (index: number) => [
  0x81 + Math.floor(index / 12_600),
  0x30 + (Math.floor(index / 1260) % 10),
  0x81 + (Math.floor(index / 10) % 126),
  0x30 + (index % 10),
];
for (let index = 0; index < 39_420; index++) addGb18030(fourBytes(index));
// The current standard gave the bytes of twenty private-use characters to other characters.
const hasBytes = (character: string) => character.length > 1 || gb18030.has(character);

const inGb18030 = (text: string) =>
  [...text].flatMap((character) => {
    const code = character.codePointAt(0) as number;
    return code > 0xffff
      ? fourBytes(189_000 + code - 0x10000)
      : (gb18030.get(character) as readonly number[]);
  });
const inUtf16 = (text: string) => [...Buffer.from(text, 'utf16le')];
const swapped = (bytes: readonly number[]) => [...Buffer.from(bytes).swap16()];

const encodings: readonly (readonly [string, (text: string) => readonly number[]])[] = [
  ['UTF-8', (text) => [...Buffer.from(text)]],
  ['UTF-8 with a mark', (text) => [0xef, 0xbb, 0xbf, ...Buffer.from(text)]],
  ['UTF-16 LE with a mark', (text) => [0xff, 0xfe, ...inUtf16(text)]],
  ['UTF-16 BE with a mark', (text) => [0xfe, 0xff, ...swapped(inUtf16(text))]],
  ['UTF-16 LE', (text) => inUtf16(text)],
  ['UTF-16 BE', (text) => swapped(inUtf16(text))],
  ['GB 18030', inGb18030],
];

describe('CSV file', () => {
  it.each(encodings)('in %s is read character by character, with any written text', async (_, encode) => {
    const property = fc.asyncProperty(fc.array(cellText, { minLength: 1, maxLength: 5 }), async (texts) => {
      const rows = texts.map((text, index) => [`u${index}`, [...text].filter(hasBytes).join('').trim()]);
      const csv = await (await tableBlob({ header: ['学号', '姓名'], rows }, 'csv')).text();
      const bytes = new Uint8Array(encode(csv.replace(/^\uFEFF/, '')));
      expect(await readCells(bytes)).toEqual([['学号', '姓名'], ...rows]);
    });
    await fc.assert(property, { numRuns: 60, examples: [[[...awkwardTexts]]] });
  });

  it('in GB 18030 is decoded by the standard of 2022, including its four-byte characters', async () => {
    // 𠮷 and 𬸦 by the standard's tables. 龴 was a private-use character before 2005: in two and in four bytes.
    const known = [
      [[0x95, 0x34, 0xb2, 0x35], '𠮷'],
      [[0x99, 0x33, 0xf2, 0x30], '𬸦'],
      [[0xfe, 0x59], '龴'],
      [[0x82, 0x35, 0x90, 0x37], '龴'],
      [[0xa8, 0xbc], 'ḿ'],
      [[0xaa, 0xa1], '\uE000'],
    ] as const;
    for (const [bytes, text] of known)
      expect(await readCells(new Uint8Array([0xd5, 0xc5, ...bytes]))).toEqual([[`张${text}`]]);
  });

  it.each([
    ['Latin-1', [...Buffer.from('a,Jos\xe9\n', 'latin1')]],
    ['GB 18030 that was cut off', [0xc0, 0xee, 0xce]],
    ['UTF-16 that was cut off', [0xff, 0xfe, 0x61, 0x00, 0x62]],
    ['UTF-16 with half a character', [0xff, 0xfe, 0x42, 0xd8, 0x61, 0x00]],
    ['UTF-8 with a mark and a wrong byte', [0xef, 0xbb, 0xbf, 0x61, 0xff]],
    ['UTF-8 with a wrong byte among its names', [...Buffer.from('学号,姓名\n1,李伟\n2,张'), 0xe5, 0x0a]],
    ['UTF-8 that was cut off', [...Buffer.from('1,李伟\n2,王芳\n3,张').subarray(0, -1)]],
    ['a binary file', [0x7f, 0x45, 0x4c, 0x46, 0x02, 0x01, 0x01, 0x00, 0x00, 0x00, 0x3e, 0x00]],
    ['text with a stray NUL', [...Buffer.from(`${'ab,cd\n'.repeat(10)}\0\n`)]],
  ])('in %s is rejected without replacing a character', async (_, bytes) => {
    expect(await reasonOf(new Uint8Array(bytes))).toBe('text');
  });

  const isGuess = async (content: BlobPart) => (await readSheet(content)).isGuess;

  it('reports whether its encoding was guessed', async () => {
    const guesses = encodings.map(([, encode]) => isGuess(new Uint8Array(encode('a,李伟\n'))));
    expect(await Promise.all(guesses)).toEqual([...Array(4).fill(false), ...Array(3).fill(true)]);
  });

  it('reports a guess when two Latin letters may be one Chinese character', async () => {
    const bytes = inGb18030('1,谭\n');
    expect(await isGuess(new Uint8Array(bytes))).toBe(true);
    expect(await isGuess('1,Zoë\n')).toBe(true);
    expect(await isGuess('1,Zoë\n2,谭\n')).toBe(false);
    expect(await isGuess('1,Zoe\n')).toBe(false);
  });
});
