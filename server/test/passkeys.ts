import { type Staff, setCookieOf } from './administrators.ts';
import { Authenticator, type PasskeyChallenge } from './authenticator.ts';
import type { InternalAnswer } from './identities.ts';
import type { TestApp } from './test-app.ts';

/** Adds a passkey to the account of a session. */
export async function addPasskey(staff: Staff, authenticator = new Authenticator()) {
  const asked = await staff.created<PasskeyChallenge>('/auth/passkeys/challenge', {});
  const made = authenticator.make(asked);
  return staff.created<{ id: number; recoveryCodes: string[] }>('/auth/passkeys', made);
}

/** Returns the cookie that an answer sets, as a browser sends it back. */
export function cookieOf({ headers }: InternalAnswer, which: 'session' | 'challenge'): string {
  const cookie = setCookieOf(headers, which);
  return cookie ? `${cookie.name}=${cookie.value}` : '';
}

/** Asks for the challenge of a sign-in. */
export async function askForPasskey({ anonymous }: TestApp) {
  const answer = await anonymous.internal.post('/auth/login/passkey/challenge');
  return { asked: answer.data as PasskeyChallenge, cookie: cookieOf(answer, 'challenge') };
}
