import { expect, it } from 'vitest';
import { codeOfStep, fromBase32, matchingSteps, toBase32 } from './code-app.ts';

/** The test secret of RFC 6238, appendix B. */
const secret = Buffer.from('12345678901234567890');

it('one-time codes match RFC 6238', () => {
  const seconds = [59, 1_111_111_109, 1_111_111_111, 1_234_567_890, 2_000_000_000, 20_000_000_000];
  expect(seconds.map((second) => codeOfStep(secret, Math.floor(second / 30)))).toEqual([
    '287082',
    '081804',
    '050471',
    '005924',
    '279037',
    '353130',
  ]);
});

it('a one-time code has exactly six ASCII digits', () => {
  for (const typed of ['', '12345', '1234567', '12345a', '１２３４５６', '-12345']) {
    expect(matchingSteps(secret, typed, new Date(0))).toEqual([]);
  }
});

it('the secret of one-time codes is encoded in base32', () => {
  expect(toBase32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  expect(fromBase32(toBase32(secret))).toEqual(secret);
});
