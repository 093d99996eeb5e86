import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 35;
const checksumLength = 6;
const form = /^([A-Za-z0-9][A-Za-z0-9_-]{0,19})_([0-9A-Za-z]{35})([0-9A-Za-z]{6})$/;

/** Computes a CRC-32 in six base62 digits, which detects a mistyped token without the database. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < checksumLength; i++) {
    digits = base62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Generates a token: the prefix, 35 random base62 characters (208 bits) and a checksum over both. */
export function generateToken(prefix: string): string {
  const random = Array.from({ length: randomLength }, () => base62[randomInt(62)]).join('');
  const body = `${prefix}_${random}`;
  return body + checksum(body);
}

export function isWellFormedToken(text: string): boolean {
  const match = form.exec(text);
  return match !== null && checksum(text.slice(0, -checksumLength)) === match[3];
}

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

export function tokenPrefix(token: string): string {
  return token.slice(0, token.length - randomLength - checksumLength + 6);
}
