import fc from 'fast-check';

/** Texts that a program may damage: rare, joined, composed, invisible and private-use characters. */
export const awkwardTexts: readonly string[] = [
  '𠮷田',
  '𬸦𰻞',
  '王👨‍👩‍👧‍👦',
  'Zoë',
  'Zoe\u0308',
  '张\uE863\uF8FF\u{F0001}',
  'བཀྲ་ཤིས།',
  'ئۇيغۇر',
  'ᠮᠣᠩᠭᠣᠯ',
  '２０２６ＡＢ（１）',
  '李\u00A0伟',
  '李\u200B伟\u200D',
  '葛\u{E0100}城',
  '_x0041_ _x005F_',
  'a&b<c>"d\'',
  '&#134071;',
  '买买提·艾力',
  'constructor',
  '__proto__',
];

export const cellText: fc.Arbitrary<string> = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...'_x05FA=-+@\'",;\t\r\n '), maxLength: 12 }),
    fc.constantFrom(...awkwardTexts),
  )
  .map((text) => text.replaceAll('\0', '').trim());
