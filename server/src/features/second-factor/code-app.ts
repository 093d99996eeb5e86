import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Data, InternalOperations } from '@classledger/contract';
import type { Sealing } from '../../access/sealing.ts';
import type { Admin } from '../../access/sessions.ts';
import type { ThrottledAttempt } from '../../access/throttles.ts';
import type { Database } from '../../database/connect.ts';
import { invalidValue, notFound } from '../../errors/app-error.ts';
import { ownAttempt } from '../administrators/own-sessions.ts';
import {
  changeFactors,
  consumeRecoveryCode,
  createFirstRecoveryCodes,
  type FactorServices,
  finishFactorRemoval,
  type OwnFactorCall,
} from './factors.ts';

const enrolmentMs = 10 * 60_000;
const issuer = 'Classledger';

type CodeAppSetup = Data<InternalOperations['startCodeApp']>;

/** Creates a secret for an authenticator app. The server stores it only after a code proves that the app has it. */
export function startCodeApp(sealing: Sealing, { id, username }: Admin, at: Date): CodeAppSetup {
  const secret = toBase32(randomBytes(20));
  const label = `${issuer}:${encodeURIComponent(username)}`;
  const until = at.getTime() + enrolmentMs;
  return {
    secret,
    url: `otpauth://totp/${label}?secret=${secret}&issuer=${issuer}`,
    enrolment: sealing.sign('enrolments', `${secret}.${id}.${until}`),
  };
}

/** Returns the secret of this administrator's unexpired enrolment, otherwise null. */
function secretOfEnrolment(sealing: Sealing, enrolment: string, adminId: number, at: Date): string | null {
  const [secret = '', id, until] = sealing.verify('enrolments', enrolment)?.split('.') ?? [];
  return id === String(adminId) && Number(until) >= at.getTime() ? secret : null;
}

/** Stores the secret of an app that shows the right code. @returns an attempt whose failure is invalid_value */
export const confirmCodeApp = (
  { db, sealing, events }: FactorServices,
  { admin, at, ...device }: Pick<OwnFactorCall, 'admin' | 'at' | 'ip' | 'userAgent'>,
  { enrolment, code }: { readonly enrolment: string; readonly code: string },
): ThrottledAttempt<Data<InternalOperations['confirmCodeApp']>> => {
  const refusal = () => invalidValue('The code is wrong; type the one that the app shows now');
  return ownAttempt(db, admin, refusal, async () => {
    const secret = secretOfEnrolment(sealing, enrolment, admin.id, at);
    if (secret === null) throw invalidValue('The set-up has expired; start it again');
    const step = matchingSteps(fromBase32(secret), withoutBlanks(code), at).at(-1);
    if (step === undefined) {
      events.recordAdminEvent(admin, 'confirmationFailed', device);
      return null;
    }
    return changeFactors(db, admin.id, async (tx) => {
      const app = {
        sealed_secret: sealing.seal('one-time codes', String(admin.id), secret),
        last_step: step,
        created_at: at,
      };
      await tx
        .insertInto('code_app')
        .values({ admin_id: admin.id, ...app })
        .onConflict((known) => known.column('admin_id').doUpdateSet(app))
        .execute();
      return { recoveryCodes: await createFirstRecoveryCodes(tx, admin.id) };
    });
  });
};

/** @throws AppError not_found; conflict (the role needs a factor) */
export function removeCodeApp(db: Database, { id }: Admin): Promise<null> {
  return changeFactors(db, id, async (tx, admin) => {
    const { numDeletedRows } = await tx.deleteFrom('code_app').where('admin_id', '=', id).executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound('The app');
    await finishFactorRemoval(tx, id, admin);
    return null;
  });
}

const withoutBlanks = (typed: string) => typed.replaceAll(/\s/g, '');

/** Accepts each code once, even in parallel sign-ins. @returns null for a wrong or used code */
export async function consumeCode(
  db: Database,
  sealing: Sealing,
  adminId: number,
  typed: string,
  at: Date,
): Promise<'app' | 'recovery' | null> {
  const code = withoutBlanks(typed);
  if (/^\d{6}$/.test(code)) return (await consumeAppCode(db, sealing, adminId, code, at)) ? 'app' : null;
  return (await consumeRecoveryCode(db, adminId, code)) ? 'recovery' : null;
}

async function consumeAppCode(
  db: Database,
  sealing: Sealing,
  adminId: number,
  code: string,
  at: Date,
): Promise<boolean> {
  const app = await db
    .selectFrom('code_app')
    .where('admin_id', '=', adminId)
    .select(['sealed_secret', 'last_step'])
    .executeTakeFirst();
  const secret = app && sealing.unseal('one-time codes', String(adminId), app.sealed_secret);
  if (!secret) return false;
  const step = matchingSteps(fromBase32(secret), code, at).find((each) => each > app.last_step);
  if (step === undefined) return false;
  const { numUpdatedRows } = await db
    .updateTable('code_app')
    .set({ last_step: step })
    .where('admin_id', '=', adminId)
    .where('sealed_secret', '=', app.sealed_secret)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/* One-time codes by RFC 6238 with the parameters that all apps support: SHA-1, six digits, 30 seconds. */

const stepMs = 30_000;
const digits = 6;
/** Allowed clock difference in steps, in both directions. */
const skewSteps = 1;

export function codeOfStep(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) as number) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** Returns the steps around now that have this code, oldest first; none for a wrong code. */
export function matchingSteps(secret: Buffer, typed: string, at: Date): number[] {
  if (!/^\d{6}$/.test(typed)) return [];
  const now = Math.floor(at.getTime() / stepMs);
  const steps = Array.from({ length: 2 * skewSteps + 1 }, (_, index) => now - skewSteps + index);
  return steps.filter((step) => timingSafeEqual(Buffer.from(codeOfStep(secret, step)), Buffer.from(typed)));
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Encodes by RFC 4648; the length must be a multiple of five bytes. */
export function toBase32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((group) => alphabet[Number.parseInt(group, 2)]).join('');
}

export function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
