import { createHmac, timingSafeEqual } from 'node:crypto';

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
