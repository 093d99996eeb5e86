export interface Strength {
  /** From 0 (easily guessed) to 3 (strong). */
  readonly level: 0 | 1 | 2 | 3;
  readonly tip: 'common' | 'aboutYou' | 'rows' | 'longer' | null;
}

/** The most common passwords. The server refuses many more. */
const common = `
  password passwort passw0rd p@ssw0rd pass mima 密码 我的密码 secret changeme admin administrator root login
  welcome letmein hello test user guest student teacher school class xuesheng laoshi xuexiao banji 学生 老师
  iloveyou woaini 我爱你 nihao 你好 zhongguo 中国 china beijing shanghai 5201314 1314 520 666 888 2580 147258369
  1qaz2wsx qazwsx 1q2w3e4r monkey dragon football basketball baseball sunshine princess superman batman
  pokemon minecraft roblox master shadow michael jordan apple love baby`
  .trim()
  .split(/\s+/);

/** Rows of neighbouring characters, on a keyboard or in the alphabet; a part of such a row is easy to guess. */
const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const neighbours = new Set(
  rows.flatMap((row) => [...row].flatMap((one, i) => [one + (row[i + 1] ?? ''), (row[i + 1] ?? '') + one])),
);

/** Replaces a known word, because a guesser needs only one try for all its letters. */
const knownWord = '\0';

/** Estimates the bits that a character adds. Letters count less than random ones, because most form words. */
function bitsOf(character: string, before: string): number {
  if (character === knownWord) return 4;
  const kind = kindOf(character);
  return bitsByKind[kind] + (before !== '' && kindOf(before) !== kind ? 1 : 0);
}

const bitsByKind = { digit: 3.3, lower: 3, upper: 4, other: 8, sign: 5 } as const;

function kindOf(character: string): keyof typeof bitsByKind {
  if (/\p{Nd}/u.test(character)) return 'digit';
  if (/\p{Lu}/u.test(character)) return 'upper';
  if (/\p{Script=Latin}/u.test(character)) return 'lower';
  return /\p{L}/u.test(character) ? 'other' : 'sign';
}

/** Rates a password by simple rules, because a dictionary would be larger than all pages. The server decides. */
export function strengthOf(password: string, own: readonly string[]): Strength {
  const without = (text: string, words: readonly string[]) =>
    words.reduce((rest, word) => replaceAll(rest, word), text);
  const ownWords = own
    .flatMap((text) => [text, ...text.split(/[\s.@_-]+/)])
    .filter((word) => isLongEnoughWord(word));
  const anonymous = without(password, ownWords);
  const uncommon = without(anonymous, common);
  let bits = 0;
  let inRows = 0;
  let steps = 0;
  let before = '';
  for (const character of uncommon) {
    steps = isStep(before, character) ? steps + 1 : 0;
    // Counts from the third neighbour in a row, because many words contain two.
    if (steps > 1) inRows += 1;
    else bits += bitsOf(character, before);
    before = character;
  }
  const level = bits < 24 ? 0 : bits < 36 ? 1 : bits < 50 ? 2 : 3;
  if (anonymous !== password && level < 3) return { level, tip: 'aboutYou' };
  if (uncommon !== anonymous && level < 2) return { level, tip: 'common' };
  if (inRows > 0 && level < 2) return { level, tip: 'rows' };
  return { level, tip: level < 2 ? 'longer' : null };
}

const isStep = (before: string, character: string) =>
  before === character || neighbours.has((before + character).toLowerCase());

/** Two Chinese characters may be a whole name, but two letters occur in many words. */
const isLongEnoughWord = (word: string) =>
  /\p{Script=Han}/u.test(word) ? word.length >= 2 : word.length >= 3;

function replaceAll(text: string, word: string): string {
  const at = text.toLowerCase().indexOf(word.toLowerCase());
  if (at < 0) return text;
  return text.slice(0, at) + knownWord + replaceAll(text.slice(at + word.length), word);
}

export interface TypedPasswords {
  readonly old: string;
  readonly fresh: string;
  readonly repeated: string;
}

interface PasswordErrors {
  readonly old?: 'required';
  readonly fresh?: 'tooShort' | 'sameAsOld';
  readonly repeated?: 'notTheSame';
}

export function passwordErrorsOf(
  { old, fresh, repeated }: TypedPasswords,
  lengthMin: number,
): PasswordErrors {
  const freshFault = [...fresh].length < lengthMin ? 'tooShort' : fresh === old ? 'sameAsOld' : null;
  return {
    ...(old === '' && { old: 'required' as const }),
    ...(freshFault && { fresh: freshFault }),
    ...(repeated !== fresh && { repeated: 'notTheSame' as const }),
  };
}
