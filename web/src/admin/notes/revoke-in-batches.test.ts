import { expect, it } from 'vitest';
import { revokeInBatches } from './revoke-in-batches.ts';

it('records are revoked as many at once as allowed, and those after a refused batch are left', async () => {
  const left = [1, 2, 3, 4, 5];
  const batches: number[][] = [];
  let refused = 3;
  const run = () =>
    revokeInBatches(left, 2, async (ids) => {
      if (ids.includes(refused)) throw new Error('refused');
      batches.push(ids);
      return { revoked: ids.length };
    });
  await expect(run()).rejects.toThrow('refused');
  expect(left).toEqual([3, 4, 5]);
  refused = 0;
  expect(await run()).toBe(3);
  expect(batches).toEqual([[1, 2], [3, 4], [5]]);
});
