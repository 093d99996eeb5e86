import { expect, it } from 'vitest';
import { strToU8, unzipSync, zip } from './zip-without-workers.ts';

it('zip works like fflate’s, without workers', () => {
  const seen: unknown[] = [];
  zip({ 'a.xml': strToU8('a') }, (error, packed) =>
    seen.push(error, Object.keys(unzipSync(packed ?? new Uint8Array()))),
  );
  expect(seen).toEqual([null, ['a.xml']]);
});
