import { describe, expect, it } from 'vitest';
import { PartlyRevokedError, revokeInBatches } from './revoke-in-batches.ts';

describe('revokeInBatches', () => {
  it('sends as many ids at once as allowed', async () => {
    const parts: number[][] = [];
    const revoked = await revokeInBatches([1, 2, 3, 4, 5], 2, async (ids) => {
      parts.push(ids);
      return { revoked: ids.length };
    });
    expect(parts).toEqual([[1, 2], [3, 4], [5]]);
    expect(revoked).toBe(5);
  });

  it('throws PartlyRevokedError with the remaining ids when a batch is refused', async () => {
    const failure = await revokeInBatches([1, 2, 3, 4, 5], 2, async (ids) => {
      if (ids.includes(3)) throw new Error('refused');
      return { revoked: ids.length };
    }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PartlyRevokedError);
    expect((failure as PartlyRevokedError).left).toEqual([3, 4, 5]);
  });
});
