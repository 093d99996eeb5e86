import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** What a key is for. What is sealed or signed for one purpose is nothing to another. */
export type SealingPurpose =
  | 'one-time codes'
  | 'client secrets'
  | 'device cookies'
  | 'enrolments'
  | 'passkey handles'
  | 'passkey challenges'
  | 'counters'
  | 'access tokens'
  | 'webhook secrets';

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/**
 * Keeps what the server must read again unreadable to who has only the database, and knows again what it gave out.
 * The keys come from the secret of the installation.
 */
export class Sealing {
  readonly #secret: () => string;
  readonly #report: (what: string) => void;
  readonly #keys = new Map<string, Buffer>();

  /**
   * @param secret read when a key is first needed
   * @param report is told in one sentence when something cannot be opened
   */
  constructor(secret: () => string, report: (what: string) => void) {
    this.#secret = secret;
    this.#report = report;
  }

  /** @param place where it is kept, such as a row's id: it cannot be opened from another place */
  seal(purpose: SealingPurpose, place: string, plain: string): Buffer {
    const iv = randomBytes(ivBytes);
    const sealer = createCipheriv(cipher, this.#key(`seal ${purpose}`), iv).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([sealer.update(plain, 'utf8'), sealer.final()]);
    return Buffer.concat([iv, sealer.getAuthTag(), sealed]);
  }

  /** @returns null for what was sealed under another secret, or was changed or moved; that is reported */
  unseal(purpose: SealingPurpose, place: string, sealed: Buffer): string | null {
    const key = this.#key(`seal ${purpose}`);
    try {
      const opener = createDecipheriv(cipher, key, sealed.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      });
      opener.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
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

  /** The text with a signature behind it. The text goes into a cookie as it is. */
  sign(purpose: SealingPurpose, text: string): string {
    return `${text}.${this.#signature(purpose, text).toString('base64url')}`;
  }

  /** @returns the text; null unless it was signed here for that purpose */
  verify(purpose: SealingPurpose, signed: string): string | null {
    const end = signed.lastIndexOf('.');
    const text = signed.slice(0, Math.max(end, 0));
    const given = Buffer.from(signed.slice(end + 1), 'base64url');
    const right = this.#signature(purpose, text);
    return end >= 0 && given.length === right.length && timingSafeEqual(given, right) ? text : null;
  }

  /** Stands for a text where it is stored: nobody who has only the database finds out which text it was. */
  nameless(purpose: SealingPurpose, text: string): Buffer {
    return this.#signature(purpose, text);
  }

  #signature(purpose: SealingPurpose, text: string): Buffer {
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
