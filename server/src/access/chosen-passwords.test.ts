import fc from 'fast-check';
import { expect, it } from 'vitest';
import { requireAllowedPassword } from './chosen-passwords.ts';

const owner = {
  oldPassword: 'kindle42',
  username: 'li.wei',
  names: ['李伟', 'Riverside School'],
  strictLengthMin: 1,
};

const reasonOf = (password: string, about = owner) =>
  requireAllowedPassword(password, about, true).then(
    () => null,
    (error: { reason: string }) => error.reason,
  );

it.each([
  ['a sentence', 'my dog eats seven socks'],
  ['a Chinese sentence', '我家的猫很胖'],
  ['emoji', '🦊🐢🍉🚲🎈🦉'],
  ['words with a name among them', 'riverside lanterns'],
  ['letters and digits of no word', 'tq7nvb3k'],
  ['combining characters', 'z\u0301o\u0308q\u0303v\u0327m'],
  ['eight digits that are no date', '19901390'],
  ['words with signs between them', 'w@lnut-l0om7'],
  ['128 characters', 'tq7nvb3k'.repeat(16)],
  ['text with white space around it', '  tq7nvb  '],
  ['text that looks like an entry of the list', '","tq","'],
])('a student or administrator may choose %s as a password', async (_what, password) => {
  expect(await reasonOf(password)).toBe(null);
});

const words = (text: string) => text.trim().split(/\s+/);
const refused = {
  passwordSame: ['kindle42'],
  passwordRepeated: [
    ...words('aaaaaaaa aAaAaAaA 🦊🦊🦊🦊🦊🦊 👨‍👩‍👧‍👦👨‍👩‍👧‍👦 e\u0301\u00e9eE\u0301\u00e8e'),
    ...[' '.repeat(8), '\u0301'.repeat(8), '学'.repeat(128)],
  ],
  passwordCommon: words(`
      password PassWord password2026 !!password!! pass-word passwordpassword ｐａｓｓｗｏｒｄ pässword
      12345678 87654321 123-456-789 12341234 abcdefgh qwertyuiop 1qaz2wsx P@ssw0rd1 2026p@ssw0rd!
      19900101 2026-09-15 31.12.2014 12312014 woaini1314 5201314 我爱你我爱你 密码123456`),
  passwordPersonal: words(`
      li.wei LiWei2012 2012liwei! 李伟李伟李伟 李伟2012 riversideschool Riverside-2026 ＲＩＶＥＲＳＩＤＥ８
      classledger1`),
};

it.each(
  Object.entries(refused).flatMap(([reason, all]) => all.map((password) => [reason, password] as const)),
)('a chosen password is rejected with %s: %j', async (reason, password) => {
  expect(await reasonOf(password)).toBe(reason);
});

it('a chosen password may contain a name that occurs in many words', async () => {
  const about = { ...owner, username: 'li', names: ['7', ''] };
  for (const password of ['li-12-34-56', '77-lanterns', 'li7li7li7!']) {
    expect([password, await reasonOf(password, about)]).toEqual([password, null]);
  }
});

it('a chosen password is rejected with personal facts in any spelling, with any digits around them', async () => {
  const digits = fc.stringMatching(/^[0-9]{0,5}$/);
  const written = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.normalize('NFD'),
    (text) => text.replaceAll(' ', ''),
    (text) => text.replaceAll(/[ .]/g, '_'),
    (text) => text + text,
  );
  const names = fc.constantFrom('anna.k-2012', 'José Núñez', '第一小学', '20260114', 'École Ångström');
  await fc.assert(
    fc.asyncProperty(names, written, digits, digits, async (name, write, before, after) => {
      const about = { ...owner, username: 'somebody', names: [name] };
      expect(await reasonOf(before + write(name) + after, about)).not.toBe(null);
    }),
  );
});

it('the rules accept or reject any password of any owner without an error', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 128 });
  await fc.assert(
    fc.asyncProperty(text, text, text, async (password, oldPassword, name) => {
      const about = { oldPassword, username: 'u', names: [name], strictLengthMin: 0 };
      const reason = await reasonOf(password, about);
      if (password === oldPassword) expect(reason).toBe('passwordSame');
      else expect([null, 'passwordRepeated', 'passwordCommon', 'passwordPersonal']).toContain(reason);
    }),
    { numRuns: 8 },
  );
});
