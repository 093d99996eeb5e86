import { expect, it } from 'vitest';
import { cutTo, lettersOf, narrow } from './letters.ts';

it('letters are what readers take for one', () => {
  expect(lettersOf('𠮷葛\u{E0100}e\u0301👨‍👩‍👧')).toEqual(['𠮷', '葛\u{E0100}', 'e\u0301', '👨‍👩‍👧']);
});

it('cuts no character in half', () => {
  expect([1, 2, 9].map((length) => cutTo(length, 'a𠮷b'))).toEqual(['a', 'a𠮷', 'a𠮷b']);
});

it('knows the characters where a browser cannot tell the letters', () => {
  const own = Object.getOwnPropertyDescriptor(Intl, 'Segmenter') as PropertyDescriptor;
  Reflect.deleteProperty(Intl, 'Segmenter');
  try {
    expect(lettersOf('a𠮷')).toEqual(['a', '𠮷']);
  } finally {
    Object.defineProperty(Intl, 'Segmenter', own);
  }
});

it.each([
  ['２０２６ＡＢ', '2026AB'],
  ['\u202D20260101\u202C', '20260101'],
  [' li\u200B.wei\u200E\u3000', 'li.wei'],
  ['\uFEFF \u00AD', ''],
  ['e\u200D\u0301', 'é'],
])('narrow letters are those that keyboards write, and all can be seen: %j', (text, expected) => {
  expect(narrow(text)).toBe(expected);
});
