import { expect, it } from 'vitest';
import { lettersOf, toHalfWidth, truncateText } from './letters.ts';

it('lettersOf splits text into user-perceived characters', () => {
  expect(lettersOf('𠮷葛\u{E0100}e\u0301👨‍👩‍👧')).toEqual(['𠮷', '葛\u{E0100}', 'e\u0301', '👨‍👩‍👧']);
});

it('truncateText keeps characters whole', () => {
  expect([1, 2, 9].map((length) => truncateText(length, 'a𠮷b'))).toEqual(['a', 'a𠮷', 'a𠮷b']);
});

it.each([
  ['２０２６ＡＢ', '2026AB'],
  ['\u202D20260101\u202C', '20260101'],
  [' li\u200B.wei\u200E\u3000', 'li.wei'],
  ['\uFEFF \u00AD', ''],
  ['e\u200D\u0301', 'é'],
])('toHalfWidth returns visible keyboard characters: %j', (text, expected) => {
  expect(toHalfWidth(text)).toBe(expected);
});
