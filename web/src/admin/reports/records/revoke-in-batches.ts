/** Thrown when the server has revoked some of the records and then refused the rest, which `left` contains. */
export class PartlyRevokedError extends Error {
  readonly left: readonly number[];

  constructor(left: readonly number[], cause: unknown) {
    super('Not all records were taken back', { cause });
    this.name = 'PartlyRevokedError';
    this.left = left;
  }
}

/** Revokes records in batches, each as a whole. @returns the number of revoked records @throws PartlyRevokedError */
export async function revokeInBatches(
  ids: readonly number[],
  partSize: number,
  revoke: (ids: number[]) => Promise<{ readonly revoked: number }>,
): Promise<number> {
  let revoked = 0;
  for (let start = 0; start < ids.length; start += partSize) {
    try {
      revoked += (await revoke(ids.slice(start, start + partSize))).revoked;
    } catch (error) {
      throw new PartlyRevokedError(ids.slice(start), error);
    }
  }
  return revoked;
}
