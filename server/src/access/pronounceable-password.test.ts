import { describe, expect, it } from 'vitest';
import { pronounceablePassword } from './pronounceable-password.ts';

describe('Pronounceable password', () => {
  const many = Array.from({ length: 5_000 }, pronounceablePassword);

  it('has four syllables and two digits without ambiguous characters', () => {
    expect(many.filter((password) => !/^([bdfghjkmnprstvwz][aeiou]){4}[2-9]{2}$/.test(password))).toEqual([]);
  });

  it('differs every time', () => {
    // By chance two of 5,000 are equal once in some 200 runs; three equal ones do not occur.
    expect(new Set(many).size).toBeGreaterThan(4_997);
  });

  it('contains nothing rude in English or Chinese, also across syllables', () => {
    const words = ['fuk', 'dik', 'nazi', 'rape', 'anus', 'pipi', 'jiba', 'nima', 'sabi', 'pigu', 'tama'];
    expect(many.filter((password) => words.some((word) => password.includes(word)))).toEqual([]);
  });
});
