import { randomInt } from 'node:crypto';
import { hash, type Options, verify } from '@node-rs/argon2';
import { atMost } from '../at-most.ts';

/** argon2id with 19 MiB, two passes, one lane: the OWASP baseline. Runs on libuv's threads, not on ours. */
const parameters: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Each takes a thread and 19 MiB; the threads that are left are for those who want to sign in. */
const hashing = atMost(2);

/** Two at once in the whole process, in turn. */
export function hashPassword(password: string): Promise<string> {
  return hashing(() => hash(password, parameters));
}

/** A hash of no password: checked when there is no such user, so that both answers take as long. */
let decoyHash: Promise<string> | undefined;

/**
 * Whether a password belongs to a stored hash. `storedHash` null (no such user) takes as long as a wrong
 * password and is never true. It does not wait for those that are being hashed.
 */
export async function verifyPassword(storedHash: string | null, password: string): Promise<boolean> {
  if (storedHash === null) {
    decoyHash ??= hash('nobody has this password', parameters);
    await verify(await decoyHash, password);
    return false;
  }
  return verify(storedHash, password);
}

/** Without characters that are read for one another, such as l, 1, O and 0. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A password to hand out once: ten characters, some 58 bits. */
export function generatePassword(length = 10): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
