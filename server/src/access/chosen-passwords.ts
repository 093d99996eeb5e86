import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { limits, type RefusalReason } from '@classledger/contract';
import { invalidValue, refusalWithReason } from '../errors/app-error.ts';

type Fault = Exclude<Extract<RefusalReason, `password${string}`>, 'passwordEnded'>;

const messages: Readonly<Record<Fault, string>> = {
  passwordSame: 'This is the old password; choose another one',
  passwordRepeated: 'This password is one character repeated; choose another one',
  passwordCommon: 'This password is one of the first that anybody tries; choose another one',
  passwordPersonal:
    'This password is made of your name, your username or the name of your school; choose another one',
};

interface PasswordOwner {
  readonly oldPassword: string | undefined;
  readonly username: string;
  readonly names: readonly string[];
  readonly strictLengthMin: number;
}

/** Rejects a password that its owner must not choose (docs/contract.md, Passwords). @throws AppError invalid_value */
export async function requireAllowedPassword(
  password: string,
  owner: PasswordOwner,
  strict: boolean,
): Promise<void> {
  if (strict && [...password].length < owner.strictLengthMin) {
    const { strictLengthMin } = owner;
    throw invalidValue(`newPassword must have ${strictLengthMin} to ${limits.passwordLengthMax} characters`);
  }
  const fault = strict ? await strictFaultOf(password, owner) : faultOf(password, owner);
  if (fault) throw refusal(fault);
}

export const samePasswordError = () => refusal('passwordSame');

const refusal = (reason: Fault) => refusalWithReason(reason, 'invalid_value', messages[reason]);

function faultOf(password: string, { oldPassword, username }: PasswordOwner): Fault | null {
  if (password === oldPassword) return 'passwordSame';
  return password === username ? 'passwordPersonal' : null;
}

async function strictFaultOf(password: string, owner: PasswordOwner): Promise<Fault | null> {
  const fault = faultOf(password, owner);
  if (fault) return fault;
  const folded = fold(password);
  if (isOneCharacter(folded)) return 'passwordRepeated';
  if (isMadeOf(folded, [owner.username, ...owner.names, 'Classledger'])) return 'passwordPersonal';
  return (await isCommon(folded)) ? 'passwordCommon' : null;
}

/** Removes differences that people overlook: case, accents and full-width forms. */
const fold = (text: string) =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().normalize('NFKC');

/** Splits text as people see it: a flag or family emoji is one character of several code points. */
const characters = new Intl.Segmenter('und', { granularity: 'grapheme' });

const isOneCharacter = (folded: string) =>
  new Set(Array.from(characters.segment(folded), ({ segment }) => segment)).size <= 1;

const signs = /[^\p{L}\p{N}]+/gu;
const plainOf = (folded: string) => folded.replaceAll(signs, '');

/** Returns whether the password contains one of the names, and has no letters outside of names. */
function isMadeOf(folded: string, names: readonly string[]): boolean {
  const known = names
    .map(fold)
    .flatMap((name) => [name, plainOf(name), ...name.split(signs)])
    .filter((name) => isLongEnough(name))
    .sort((one, other) => other.length - one.length);
  return [folded, plainOf(folded)].some((text) => {
    const rest = known.reduce((left, name) => left.replaceAll(name, ' '), text);
    return rest !== text && !/\p{L}/u.test(rest);
  });
}

/** Requires three Latin letters, because two occur in many words. Two Chinese characters can be a whole name. */
const isLongEnough = (name: string) => [...name].length >= (/^[\p{Script=Latin}\p{N}]*$/u.test(name) ? 3 : 2);

/** Returns whether attackers try the password early: a popular word, a sequence, a repetition or a date. */
async function isCommon(folded: string): Promise<boolean> {
  const list = await commonPasswords();
  const isListed = (word: string) => list.includes(JSON.stringify(word)) || commonInChina.has(word);
  const isPopular = (word: string) =>
    commonInChina.has(word) ||
    (word !== '' && list.lastIndexOf(JSON.stringify(word), popularTextLength) >= 0);
  const isWeak = (word: string) => isListed(word) || isSequence(word);
  const plain = plainOf(folded);
  const core = plain.replaceAll(/^\p{N}+|\p{N}+$/gu, '');
  // Keeps signs between letters, which may replace letters, as in p@ssw0rd.
  const written = folded.replaceAll(/^\P{L}+|\P{L}+$/gu, '');
  return (
    [folded, plain, repeatedPart(folded), repeatedPart(core)].some(isWeak) ||
    isPopular(core) ||
    (/\P{L}/u.test(written) && isListed(written)) ||
    datePattern.test(plain)
  );
}

const [year, month, day] = ['(19|20)\\d\\d', '(0[1-9]|1[0-2])', '(0[1-9]|[12]\\d|3[01])'];
const datePattern = new RegExp(`^(${year}${month}${day}|${month}${day}${year}|${day}${month}${year})$`);

function isSequence(word: string): boolean {
  const points = Array.from(word, (character) => character.codePointAt(0) ?? 0);
  const steps = new Set(points.slice(1).map((point, i) => point - (points[i] as number)));
  const [step = 0] = steps;
  return steps.size === 1 && Math.abs(step) === 1;
}

/** Returns the repeated part of a word, or the whole word when nothing repeats. */
function repeatedPart(word: string): string {
  return word === '' ? '' : word.slice(0, (word + word).indexOf(word, 1));
}

/** The first thousand passwords of the list take this many characters. */
const popularTextLength = 9_500;

let list: Promise<string> | undefined;

/** Reads the JSON text of 49,000 passwords once, most used first. Searching the text takes less than a millisecond. */
function commonPasswords(): Promise<string> {
  list ??= readFile(
    fileURLToPath(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json')),
    'utf8',
  );
  return list;
}

const commonInChina = new Set([
  ...['woaini', 'woaini1314', 'woaini520', 'woaiwojia', 'wodemima', 'mima', 'nihao', 'woshishui', 'zhongguo'],
  ...['5201314', '5211314', '520520', '521521', '1314520', '1314521', '7758521', '7758258', '147258369'],
  ...['xuesheng', 'laoshi', 'xuexiao', 'banji', 'xiaoming', 'zhang', 'wang', 'zhangwei', 'wangwei', 'liming'],
  ...['密码', '我的密码', '我爱你', '你好', '学生', '老师', '学校', '班级', '中国', '小明', '我不知道'],
]);
