/** Some of several records were taken back before the rest was refused. */
export class PartlyRevoked extends Error {
  /** Those that are still there. */
  readonly left: readonly number[];

  constructor(left: readonly number[], cause: unknown) {
    super('Not all records were taken back', { cause });
    this.name = 'PartlyRevoked';
    this.left = left;
  }
}

/**
 * Takes many records back, as many at once as the server allows. Every part is wholly done or not at all and may be
 * repeated, so that what is left after a failure can simply be sent again.
 *
 * @param revoke one call of the server
 * @returns how many were taken back now; others were already
 * @throws PartlyRevoked with what is left
 */
export async function revokeInParts(
  ids: readonly number[],
  partSize: number,
  revoke: (ids: number[]) => Promise<{ readonly revoked: number }>,
): Promise<number> {
  let revoked = 0;
  for (let start = 0; start < ids.length; start += partSize) {
    try {
      revoked += (await revoke(ids.slice(start, start + partSize))).revoked;
    } catch (error) {
      throw new PartlyRevoked(ids.slice(start), error);
    }
  }
  return revoked;
}
