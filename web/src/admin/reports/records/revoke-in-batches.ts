/** The server revoked some of several records before it refused the rest. */
export class PartlyRevokedError extends Error {
  readonly left: readonly number[];

  constructor(left: readonly number[], cause: unknown) {
    super('Not all records were taken back', { cause });
    this.name = 'PartlyRevokedError';
    this.left = left;
  }
}

/** Revokes parts, each whole or not at all. @returns the number revoked now @throws PartlyRevokedError with the rest */
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
