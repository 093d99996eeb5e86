import { hash, randomBytes } from 'node:crypto';
import type { Sealing } from '../../access/sealing.ts';
import type { Queryable } from '../../database/connect.ts';
import { challengeMs } from '../../database/retention.ts';

interface ChallengePurpose {
  readonly kind: 'make' | 'sign-in' | 'confirm';
  /** A secret of the requesting browser: its session token, or a cookie made for the challenge. */
  readonly holder: string;
}

/** Short, because browsers send the challenge back inside a longer text. */
const holderHash = ({ holder }: ChallengePurpose) => hash('sha256', holder, 'base64url').slice(0, 22);

/** Creates a signed challenge that contains its purpose, so that unanswered challenges need no storage. */
export function newChallenge(sealing: Sealing, purpose: ChallengePurpose, at: Date): string {
  const nonce = randomBytes(12).toString('base64url');
  const text = [purpose.kind, holderHash(purpose), at.getTime() + challengeMs, nonce].join('.');
  return Buffer.from(sealing.sign('passkey challenges', text)).toString('base64url');
}

export function isValidChallenge(
  sealing: Sealing,
  purpose: ChallengePurpose,
  challenge: string,
  at: Date,
): boolean {
  const text = sealing.verify('passkey challenges', Buffer.from(challenge, 'base64url').toString());
  const [what, holder, until] = text?.split('.') ?? [];
  return (
    purpose.holder !== '' &&
    what === purpose.kind &&
    holder === holderHash(purpose) &&
    Number(until) >= at.getTime()
  );
}

/** Marks a challenge as used. @returns false when it was used before */
export async function consumeChallenge(db: Queryable, challenge: string, at: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('spent_challenge')
    .values({ challenge_hash: hash('sha256', challenge, 'buffer'), created_at: at })
    .onConflict((known) => known.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
