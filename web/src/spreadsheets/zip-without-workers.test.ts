import { expect, it } from 'vitest';
import { strToU8, unzip, zip } from './zip-without-workers.ts';

it('zip and unzip work like fflate’s, without workers', () => {
  let packed: Uint8Array | null = null;
  zip({ 'a.xml': strToU8('a'), 'b.txt': strToU8('b') }, (_, result) => {
    packed = result;
  });
  const seen: unknown[] = [];
  const names = (_: unknown, files: object | null) => seen.push(files && Object.keys(files));
  const data = packed as unknown as Uint8Array;
  unzip(data, names);
  unzip(data, { filter: ({ name }) => name.endsWith('.xml') }, names);
  unzip(new Uint8Array(30), (error) => seen.push(error instanceof Error));
  expect(seen).toEqual([['a.xml', 'b.txt'], ['a.xml'], true]);
});
