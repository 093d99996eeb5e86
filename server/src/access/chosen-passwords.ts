import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { limits, type RefusalReason } from '@classledger/contract';
import { AppError, invalidValue } from '../app-error.ts';

/*
 * Passwords that people choose themselves (docs/contract.md, Passwords). These rules do not apply to passwords that
 * somebody gives to somebody else.
 */

type Fault = Exclude<Extract<RefusalReason, `password${string}`>, 'passwordEnded'>;

const sentences: Readonly<Record<Fault, string>> = {
  passwordSame: 'This is the old password; choose another one',
  passwordRepeated: 'This password is one character repeated; choose another one',
  passwordCommon: 'This password is one of the first that anybody tries; choose another one',
  passwordPersonal:
    'This password is made of your name, your username or the name of your school; choose another one',
};

/** Whose password it is to be, and what it was. */
interface Owner {
  /** Undefined where it was not needed. */
  readonly oldPassword: string | undefined;
  readonly username: string;
  /** What others know of the person beside the username: the name, the school. */
  readonly names: readonly string[];
  /** How long a password must be under the strict rules. */
  readonly strictLengthMin: number;
}

/**
 * Refuses a password that its owner may not choose.
 *
 * @param strict whether it must also be hard to guess
 * @throws AppError invalid_value, with a reason unless the length is at fault
 */
export async function refuseChoice(password: string, owner: Owner, strict: boolean): Promise<void> {
  if (strict && [...password].length < owner.strictLengthMin) {
    const { strictLengthMin } = owner;
    throw invalidValue(`newPassword must have ${strictLengthMin} to ${limits.passwordLengthMax} characters`);
  }
  const fault = strict ? await strictFaultOf(password, owner) : faultOf(password, owner);
  if (fault) throw refusal(fault);
}

/** The new password is the old one, which was not sent. */
export const sameAsOld = () => refusal('passwordSame');

const refusal = (reason: Fault) => new AppError('invalid_value', sentences[reason], null, null, { reason });

function faultOf(password: string, { oldPassword, username }: Owner): Fault | null {
  if (password === oldPassword) return 'passwordSame';
  return password === username ? 'passwordPersonal' : null;
}

async function strictFaultOf(password: string, owner: Owner): Promise<Fault | null> {
  const fault = faultOf(password, owner);
  if (fault) return fault;
  const folded = fold(password);
  if (isOneCharacter(folded)) return 'passwordRepeated';
  if (isMadeOf(folded, [owner.username, ...owner.names, 'Classledger'])) return 'passwordPersonal';
  return (await isCommon(folded)) ? 'passwordCommon' : null;
}

/** What people take for the same: without case, accents and width. */
const fold = (text: string) =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().normalize('NFKC');

/** As people see characters: a flag or a family is one, however many code points it has. */
const characters = new Intl.Segmenter('und', { granularity: 'grapheme' });

const isOneCharacter = (folded: string) =>
  new Set(Array.from(characters.segment(folded), ({ segment }) => segment)).size <= 1;

const signs = /[^\p{L}\p{N}]+/gu;
const plainOf = (folded: string) => folded.replaceAll(signs, '');

/** Whether nothing but digits and signs is left without the names. */
function isMadeOf(folded: string, names: readonly string[]): boolean {
  const known = names
    .map(fold)
    .flatMap((name) => [name, plainOf(name), ...name.split(signs)])
    .filter((name) => weighs(name))
    .sort((one, other) => other.length - one.length);
  return [folded, plainOf(folded)].some((text) => {
    const rest = known.reduce((left, name) => left.replaceAll(name, ' '), text);
    return rest !== text && !/\p{L}/u.test(rest);
  });
}

/** Two letters are in every other word, two Chinese characters are a name. */
const weighs = (name: string) => [...name].length >= (/^[\p{Script=Latin}\p{N}]*$/u.test(name) ? 3 : 2);

/**
 * Whether everybody would try it: it is in the list, or among the first thousand of it with digits and signs around, or
 * runs along the alphabet or the digits, or is something of these said again and again, or a date.
 */
async function isCommon(folded: string): Promise<boolean> {
  const list = await commonPasswords();
  const known = (word: string) => list.includes(JSON.stringify(word)) || commonInChina.has(word);
  const foremost = (word: string) =>
    commonInChina.has(word) || (word !== '' && list.lastIndexOf(JSON.stringify(word), foremostLength) >= 0);
  const again = (word: string) => known(word) || isRow(word);
  const plain = plainOf(folded);
  const core = plain.replaceAll(/^\p{N}+|\p{N}+$/gu, '');
  // With the signs that stand for letters, as in p@ssw0rd.
  const written = folded.replaceAll(/^\P{L}+|\P{L}+$/gu, '');
  return (
    [folded, plain, unitOf(folded), unitOf(core)].some(again) ||
    foremost(core) ||
    (/\P{L}/u.test(written) && known(written)) ||
    birthday.test(plain)
  );
}

const [year, month, day] = ['(19|20)\\d\\d', '(0[1-9]|1[0-2])', '(0[1-9]|[12]\\d|3[01])'];
/** A date of eight digits: the year before or after month and day, these in either order. */
const birthday = new RegExp(`^(${year}${month}${day}|${month}${day}${year}|${day}${month}${year})$`);

/** Each character follows the one before: 12345678, hgfedcba. */
function isRow(word: string): boolean {
  const points = Array.from(word, (character) => character.codePointAt(0) ?? 0);
  const steps = new Set(points.slice(1).map((point, i) => point - (points[i] as number)));
  const [step = 0] = steps;
  return steps.size === 1 && Math.abs(step) === 1;
}

/** What a word says again and again; the word itself where it does not. */
function unitOf(word: string): string {
  return word === '' ? '' : word.slice(0, (word + word).indexOf(word, 1));
}

/** So much of the list holds its first thousand. */
const foremostLength = 9_500;

let list: Promise<string> | undefined;

/**
 * Some 49,000 passwords in the order of how often they are used, as the text of a JSON file: it is searched as it is,
 * which takes some tenths of a millisecond and half a megabyte. Read when somebody first chooses a password.
 */
function commonPasswords(): Promise<string> {
  list ??= readFile(
    fileURLToPath(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json')),
    'utf8',
  );
  return list;
}

/** What people in China try first, and the list lacks. */
const commonInChina = new Set([
  ...['woaini', 'woaini1314', 'woaini520', 'woaiwojia', 'wodemima', 'mima', 'nihao', 'woshishui', 'zhongguo'],
  ...['5201314', '5211314', '520520', '521521', '1314520', '1314521', '7758521', '7758258', '147258369'],
  ...['xuesheng', 'laoshi', 'xuexiao', 'banji', 'xiaoming', 'zhang', 'wang', 'zhangwei', 'wangwei', 'liming'],
  ...['密码', '我的密码', '我爱你', '你好', '学生', '老师', '学校', '班级', '中国', '小明', '我不知道'],
]);
