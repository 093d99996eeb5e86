import { hash, randomBytes } from 'node:crypto';
import type { Sealing } from '../../access/sealing.ts';
import type { Queryable } from '../../database/connect.ts';
import { challengeMs } from '../../database/retention.ts';

/** What a challenge is given out for. An answer to it counts for nothing else. */
interface Purpose {
  readonly what: 'make' | 'sign-in' | 'confirm';
  /** What only the browser that asked has: the token of its session, or a cookie that was made for this. */
  readonly holder: string;
}

/** Browsers send a challenge back in a longer text, so it is kept short. */
const holderOf = ({ holder }: Purpose) => hash('sha256', holder, 'base64url').slice(0, 22);

/**
 * A challenge, as base64url. It is signed and says itself what it is for: strangers who ask for very many fill
 * nothing. Only those that were answered are kept, until their time is over.
 */
export function newChallenge(sealing: Sealing, purpose: Purpose, at: Date): string {
  const nonce = randomBytes(12).toString('base64url');
  const text = [purpose.what, holderOf(purpose), at.getTime() + challengeMs, nonce].join('.');
  return Buffer.from(sealing.sign('passkey challenges', text)).toString('base64url');
}

/** Whether a challenge was given out here, for that, to that browser, a moment ago. */
export function isFresh(sealing: Sealing, purpose: Purpose, challenge: string, at: Date): boolean {
  const text = sealing.verify('passkey challenges', Buffer.from(challenge, 'base64url').toString());
  const [what, holder, until] = text?.split('.') ?? [];
  return (
    purpose.holder !== '' &&
    what === purpose.what &&
    holder === holderOf(purpose) &&
    Number(until) >= at.getTime()
  );
}

/** Uses a challenge up. @returns whether it was not used before */
export async function spendChallenge(db: Queryable, challenge: string, at: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('spent_challenge')
    .values({ challenge_hash: hash('sha256', challenge, 'buffer'), created_at: at })
    .onConflict((known) => known.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
