import { randomInt } from 'node:crypto';
import { hash, type Options, verify } from '@node-rs/argon2';
import { FairQueue } from '../concurrency/fair-queue.ts';
import type { Database } from '../database/connect.ts';
import { addressGroup } from './address-group.ts';
import type { Account } from './known-devices.ts';

/** argon2id with 19 MiB, two passes and one lane: the OWASP baseline. Runs on libuv's threads. */
const parameters: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Threads of libuv; `main.js` sets the variable by the number of cores. */
const threads = Number(process.env.UV_THREADPOOL_SIZE) || 4;
export const hashConcurrency = Math.max(1, threads - 2);

/** Leaves one thread of libuv free for files and DNS. One request queues at most `hashConcurrency` hashes. */
const hashQueue = new FairQueue({
  concurrency: hashConcurrency + 1,
  // Keys are kinds of work. One place always remains for the other kinds.
  perKey: hashConcurrency,
  waitingPerKey: 150 * hashConcurrency,
  whenFull: 'refuse newest of busiest',
});

export interface PasswordCheck {
  readonly kind: 'administrators' | 'students' | 'confirmations';
  /** Keys for the fair queue, from the widest group to the narrowest, such as address and username. */
  readonly origin: readonly string[];
}

export const loginCheck = (
  kind: 'administrators' | 'students',
  username: string,
  ip: string,
): PasswordCheck => ({
  kind,
  origin: [addressGroup(ip), username],
});

export const confirmationCheck = (role: 'administrator' | 'student', id: number): PasswordCheck => ({
  kind: 'confirmations',
  origin: [role, String(id)],
});

/** Hashes a password. Calls that wait are served school by school in turn. @throws AppError unavailable */
export function hashPassword(password: string, origin = 'installation'): Promise<string> {
  return hashQueue.run(['hashes', origin], () => hash(password, parameters));
}

/** Checked when the user does not exist, so that both answers take equally long. */
let decoyHash: Promise<string> | undefined;

/** Checks a password; a null hash (unknown user) takes as long and never matches. @throws AppError unavailable */
export function verifyPassword(
  storedHash: string | null,
  password: string,
  { kind, origin }: PasswordCheck,
): Promise<boolean> {
  return hashQueue.run([kind, ...origin], async () => {
    if (storedHash !== null) return verify(storedHash, password);
    decoyHash ??= hash('nobody has this password', parameters);
    await verify(await decoyHash, password);
    return false;
  });
}

export async function findAdminAccount(db: Database, adminId: number): Promise<Account | null> {
  const found = await db
    .selectFrom('admin')
    .where('id', '=', adminId)
    .select('password_hash as passwordHash')
    .executeTakeFirst();
  return found ? { kind: 'administrator', id: adminId, passwordHash: found.passwordHash } : null;
}

/** Returns the password's hash if a reading of the sent password matches it and it has not expired, else null. */
export async function verifyOwnPassword(
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
  const by = confirmationCheck('administrator', adminId);
  for (const reading of readings) {
    if (await verifyPassword(found.passwordHash, reading, by)) return found.passwordHash;
  }
  return null;
}

const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Generates a password to hand out once: ten characters, about 58 bits. */
export function generatePassword(length = 10): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Leaves out l (looks like 1 and I), q (like g), and c, x and y, which sound like others. */
const consonants = 'bdfghjkmnprstvwz';
const vowels = 'aeiou';
/** Leaves out 0 and 1, so that every o and i is a letter. */
const digits = '23456789';

/** Parts that are rude in English or as pinyin without tones. */
const rude =
  /anus|baka|dag[eo]|dasi|dik|fag|fat|fuk|gani|guk|gun|hate|hitu|homo|jap|jiba|jinu|jiz|kaka|kik|kok|kuk|kum|mabi|nazi|nibi|nig|nima|nip|nisi|nude|paki|pedo|peni|pigu|pipi|pis|popo|pub|puk|pupu|pus|puta|rape|rini|sabi|sata|seme|sima|suka|tama|tit|vagi|vomi|wog|wori/;

const pickOne = (of: string) => of[randomInt(of.length)];

/** Generates a password that young students can read and type, such as `bomasefi47` (docs/security.md, Accounts). */
export function pronounceablePassword(): string {
  for (;;) {
    const letters = Array.from({ length: 4 }, () => `${pickOne(consonants)}${pickOne(vowels)}`).join('');
    if (!rude.test(letters)) return `${letters}${pickOne(digits)}${pickOne(digits)}`;
  }
}
