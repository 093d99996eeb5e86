/** Revokes records in batches, each as a whole, and removes them from `left`. @returns the number of revoked records */
export async function revokeInBatches(
  left: number[],
  batchSize: number,
  revoke: (ids: number[]) => Promise<{ readonly revoked: number }>,
): Promise<number> {
  let count = 0;
  while (left.length > 0) {
    const batch = left.slice(0, batchSize);
    count += (await revoke(batch)).revoked;
    left.splice(0, batch.length);
  }
  return count;
}
