import { randomInt } from 'node:crypto';
import { hash, type Options, verify } from '@node-rs/argon2';
import type { Database } from '../database/connect.ts';
import { FairTurns } from '../fair-turns.ts';
import { addressGroup } from './address-group.ts';
import type { Account } from './known-devices.ts';

/** argon2id with 19 MiB, two passes, one lane: the OWASP baseline. Runs on libuv's threads, not on ours. */
const parameters: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Of libuv; `main.js` says how many where there are more than two cores. */
const threads = Number(process.env.UV_THREADPOOL_SIZE) || 4;
/** Hashes, or checks of one kind, that run at once. */
export const hashesAtOnce = Math.max(1, threads - 2);

/**
 * Everything that takes 19 MiB and one of libuv's threads, of which one is left for files and names. A flood of one
 * kind leaves a place to the others, and what waits of it is done within some seconds. One request has as many waiting as
 * run at once (`hashesAtOnce`), so that 150 imports have room, however many cores there are.
 */
const turns = new FairTurns(['administrators', 'students', 'confirmations', 'hashes'], {
  atOnce: hashesAtOnce + 1,
  atOncePerKind: hashesAtOnce,
  waitingPerKind: 150 * hashesAtOnce,
});

/** Whose password is checked and what for: checks take turns by it. */
export interface CheckFor {
  readonly kind: 'administrators' | 'students' | 'confirmations';
  /** From the widest to the narrowest. */
  readonly origin: readonly string[];
}

/** A login: addresses take turns, and the usernames from one address. */
export const loginOf = (kind: 'administrators' | 'students', username: string, ip: string): CheckFor => ({
  kind,
  origin: [addressGroup(ip), username],
});

/** Someone who is signed in confirms something: the roles take turns, and the people of one, wherever they are. */
export const confirmationBy = (role: 'administrator' | 'student', id: number): CheckFor => ({
  kind: 'confirmations',
  origin: [role, String(id)],
});

/**
 * Hashes a password when its turn has come.
 *
 * @param origin the school that it is for: schools take turns
 * @throws AppError unavailable: too many wait
 */
export function hashPassword(password: string, origin = 'installation'): Promise<string> {
  return turns.run('hashes', [origin], () => hash(password, parameters));
}

/** A hash of no password: checked when there is no such user, so that both answers take as long. */
let decoyHash: Promise<string> | undefined;

/**
 * Whether a password belongs to a stored hash, when its turn has come. `storedHash` null (no such user) takes as long as
 * a wrong password and is never true.
 *
 * @throws AppError unavailable: too many of its kind wait
 */
export function verifyPassword(
  storedHash: string | null,
  password: string,
  { kind, origin }: CheckFor,
): Promise<boolean> {
  return turns.run(kind, origin, async () => {
    if (storedHash !== null) return verify(storedHash, password);
    decoyHash ??= hash('nobody has this password', parameters);
    await verify(await decoyHash, password);
    return false;
  });
}

/** The account of an administrator who is signed in; null for one who was deleted meanwhile. */
export async function ownAccount(db: Database, adminId: number): Promise<Account | null> {
  const found = await db
    .selectFrom('admin')
    .where('id', '=', adminId)
    .select('password_hash as passwordHash')
    .executeTakeFirst();
  return found ? { kind: 'administrator', id: adminId, passwordHash: found.passwordHash } : null;
}

/**
 * The own password of an administrator, sent in one of several readings: the hash that one of them fits, or null. One
 * that has ended fits no more: whoever signed in another way did not need it.
 */
export async function verifyOwn(
  db: Database,
  adminId: number,
  readings: readonly string[],
  at: Date,
): Promise<string | null> {
  const found = await db
    .selectFrom('admin')
    .where('id', '=', adminId)
    .where((is) =>
      is.or([is('password_expires_at', 'is', null), is('password_expires_at', '>', at.toISOString())]),
    )
    .select('password_hash as passwordHash')
    .executeTakeFirst();
  if (!found) return null;
  const by = confirmationBy('administrator', adminId);
  for (const reading of readings) {
    if (await verifyPassword(found.passwordHash, reading, by)) return found.passwordHash;
  }
  return null;
}

/** Without characters that are read for one another, such as l, 1, O and 0. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A password to hand out once: ten characters, some 58 bits. */
export function generatePassword(length = 10): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
