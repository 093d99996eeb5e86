/** The server revoked some of several records before it refused the rest. */
export class PartlyRevokedError extends Error {
  readonly left: readonly number[];

  constructor(left: readonly number[], cause: unknown) {
    super('Not all records were taken back', { cause });
    this.name = 'PartlyRevokedError';
    this.left = left;
  }
}

/**
 * Revokes many records in parts as large as the server allows. Each part is revoked entirely or not at all, so the rest
 * can be sent again after a failure.
 *
 * @param revoke one call of the server
 * @returns how many records were revoked now; others already were
 * @throws PartlyRevokedError with the remaining ids
 */
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
