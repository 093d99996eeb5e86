const sectorBytes = 512;
const endOfChain = 0xfffffffe;

type XlsRecord = readonly [id: number, ...data: readonly (number | readonly number[])[]];

export const uint16Bytes = (...values: readonly number[]): number[] =>
  values.flatMap((value) => [value & 255, (value >> 8) & 255]);

/** Encodes a text for a record: two bytes for its length, one for flags, and two for each character. */
export const unicodeString = (text: string): number[] => [
  ...uint16Bytes(text.length),
  1,
  ...uint16Bytes(...Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))),
];

export function xlsOfRecords(
  records: readonly XlsRecord[],
  { stream = 'Workbook', version = 0x600 } = {},
): Uint8Array<ArrayBuffer> {
  const bytesOf = (all: readonly XlsRecord[]) =>
    all.flatMap(([id, ...data]) => [...uint16Bytes(id, data.flat().length), ...data.flat()]);
  const begin = (kind: number): XlsRecord => [0x809, ...uint16Bytes(version, kind, 0, 0)];
  const globalsAt = (sheetAt: number): XlsRecord[] => {
    const worksheet: XlsRecord = [0x85, ...uint16Bytes(sheetAt, 0), 0, 0, 1, 0, 0x53];
    return [begin(5), worksheet, [0x0a]];
  };
  const globals = globalsAt(bytesOf(globalsAt(0)).length);
  const workbook = bytesOf([...globals, begin(16), ...records, [0x0a]]);
  const sectors = Math.max(8, Math.ceil(workbook.length / sectorBytes));
  const file = new Uint8Array((3 + sectors) * sectorBytes);
  const view = new DataView(file.buffer);
  file.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  view.setUint16(26, 3, true);
  view.setUint16(30, 9, true);
  view.setUint16(32, 6, true);
  const longs = (at: number, values: readonly number[]) =>
    values.forEach((value, index) => {
      view.setUint32(at + 4 * index, value, true);
    });
  // The first sector is the FAT, the second the directory; the others hold the workbook.
  longs(44, [1, 1, 0, 4096, endOfChain, 0, endOfChain, 0, 0, ...Array<number>(108).fill(0xffffffff)]);
  const chain = Array.from({ length: sectors }, (_, index) =>
    index === sectors - 1 ? endOfChain : index + 3,
  );
  longs(sectorBytes, [0xfffffffd, endOfChain, ...chain]);
  const entry = (index: number, name: string, type: number, start: number, size: number) => {
    const at = 2 * sectorBytes + index * 128;
    [...name].forEach((letter, place) => {
      view.setUint16(at + 2 * place, letter.charCodeAt(0), true);
    });
    view.setUint16(at + 64, 2 * name.length + 2, true);
    view.setUint8(at + 66, type);
    longs(at + 116, [start, size]);
  };
  entry(0, 'Root Entry', 5, endOfChain, 0);
  entry(1, stream, 2, 2, sectors * sectorBytes);
  file.set(workbook, 3 * sectorBytes);
  return file;
}
