import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { generateToken, isWellFormedToken, tokenPrefix } from './token.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,19}$/);

it('a token has a prefix, an underscore, 35 random characters and a CRC-32 in 6', () => {
  fc.assert(
    fc.property(prefix, (chosen) => {
      const token = generateToken(chosen);
      expect(token.startsWith(`${chosen}_`)).toBe(true);
      const rest = token.slice(chosen.length + 1);
      expect(rest).toMatch(/^[0-9A-Za-z]{41}$/);
      const value = [...rest.slice(-6)].reduce((sum, digit) => sum * 62 + base62.indexOf(digit), 0);
      expect(value).toBe(crc32(token.slice(0, -6)));
      expect(isWellFormedToken(token)).toBe(true);
    }),
  );
});

it('a token is malformed after any character is changed', () => {
  fc.assert(
    fc.property(
      prefix,
      fc.nat(),
      fc.string({ minLength: 1, maxLength: 1 }),
      (chosen, position, character) => {
        const token = generateToken(chosen);
        const at = position % token.length;
        fc.pre(token[at] !== character);
        return !isWellFormedToken(token.slice(0, at) + character + token.slice(at + 1));
      },
    ),
    { numRuns: 3_000 },
  );
});

it('arbitrary text is a malformed token', () => {
  fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => !isWellFormedToken(text)));
  for (const text of ['', '_', 'cls_', `cls_${'A'.repeat(41)}`, `${generateToken('cls')}\n`]) {
    expect(isWellFormedToken(text)).toBe(false);
  }
});

it('tokens are unique and use the whole alphabet', () => {
  const tokens = Array.from({ length: 500 }, () => generateToken('cls'));
  expect(new Set(tokens).size).toBe(tokens.length);
  const used = new Set(tokens.flatMap((token) => [...token.slice(4, 39)]));
  expect([...used].sort().join('')).toBe([...base62].sort().join(''));
});

it('the shown part of a token is the chosen prefix and the next 7 characters', () => {
  fc.assert(
    fc.property(prefix, (chosen) => {
      const token = generateToken(chosen);
      const shown = tokenPrefix(token);
      expect(token.startsWith(shown)).toBe(true);
      expect(shown).toHaveLength(chosen.length + 7);
    }),
  );
});
