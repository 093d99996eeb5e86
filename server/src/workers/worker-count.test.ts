import { expect, it } from 'vitest';
import { workerCount } from './worker-count.ts';

const gib = 1_073_741_824;
const machine = { cores: 8, memoryBytes: 16 * gib, platform: 'linux' } as const;

it('WORKERS=auto starts half as many workers as processors, from one to eight', () => {
  const of = (cores: number) => workerCount('auto', { ...machine, cores });
  expect([1, 2, 3, 4, 6, 8, 16, 64].map(of)).toEqual([1, 1, 1, 2, 3, 4, 8, 8]);
});

it('WORKERS=auto starts no more workers than the memory allows', () => {
  const of = (gibs: number) => workerCount('auto', { ...machine, memoryBytes: gibs * gib });
  expect([0.25, 0.5, 1, 1.4, 2, 4].map(of)).toEqual([1, 1, 2, 2, 4, 4]);
});

it('a number in WORKERS is used as it is, except on Windows, which gets one worker', () => {
  expect(workerCount(20, { ...machine, cores: 1, memoryBytes: 0 })).toBe(20);
  expect(workerCount(20, { ...machine, platform: 'win32' })).toBe(1);
  expect(workerCount('auto', { ...machine, platform: 'win32' })).toBe(1);
});
