import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Selects the key, so data of one purpose cannot be decrypted or verified for another. */
export type SealingPurpose =
  | 'one-time codes'
  | 'client secrets'
  | 'device cookies'
  | 'enrolments'
  | 'passkey handles'
  | 'passkey challenges'
  | 'counters'
  | 'access tokens'
  | 'webhook secrets'
  | 'imported passwords';

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Encrypts stored secrets and signs data that clients keep. The keys are not in the database. */
export class Sealing {
  readonly #secret: () => string;
  readonly #report: (what: string) => void;
  readonly #keys = new Map<string, Buffer>();

  constructor(secret: () => string, report: (what: string) => void) {
    this.#secret = secret;
    this.#report = report;
  }

  /** Encrypts a text. @param context where it is stored, such as a row's id; only the same context decrypts it */
  seal(purpose: SealingPurpose, context: string, plain: string): Buffer {
    const iv = randomBytes(ivBytes);
    const sealer = createCipheriv(cipher, this.#key(`seal ${purpose}`), iv).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([sealer.update(plain, 'utf8'), sealer.final()]);
    return Buffer.concat([iv, sealer.getAuthTag(), sealed]);
  }

  /** Decrypts a text. Returns null and reports when the secret differs, or the value was changed or moved. */
  unseal(purpose: SealingPurpose, context: string, sealed: Buffer): string | null {
    const key = this.#key(`seal ${purpose}`);
    try {
      const opener = createDecipheriv(cipher, key, sealed.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      });
      opener.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([opener.update(sealed.subarray(ivBytes + tagBytes)), opener.final()]).toString(
        'utf8',
      );
    } catch {
      this.#report(
        `A value sealed for ${purpose} cannot be opened: SECRET_KEY or secret.key is not the one that it was sealed with`,
      );
      return null;
    }
  }

  /** Appends a signature to a text, which must contain only characters that cookies allow. */
  sign(purpose: SealingPurpose, text: string): string {
    return `${text}.${this.keyedHash(purpose, text).toString('base64url')}`;
  }

  verify(purpose: SealingPurpose, signed: string): string | null {
    const end = signed.lastIndexOf('.');
    const text = signed.slice(0, Math.max(end, 0));
    const given = Buffer.from(signed.slice(end + 1), 'base64url');
    const right = this.keyedHash(purpose, text);
    return end >= 0 && given.length === right.length && timingSafeEqual(given, right) ? text : null;
  }

  /** Returns a keyed hash to store instead of a text, so that the database alone does not reveal the text. */
  keyedHash(purpose: SealingPurpose, text: string): Buffer {
    return createHmac('sha256', this.#key(`sign ${purpose}`))
      .update(text)
      .digest();
  }

  #key(use: string): Buffer {
    const known = this.#keys.get(use);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', this.#secret(), '', `classledger ${use}`, 32));
    this.#keys.set(use, key);
    return key;
  }
}
