import { expect, it } from 'vitest';
import { createAdmin, type Staff } from '../../../test/administrators.ts';
import { startTestApp } from '../../../test/test-app.ts';
import { codeOfStep, fromBase32 } from './code-app.ts';

const test = await startTestApp();
let count = 0;
const newPerson = (username = `person ${++count}`) =>
  createAdmin(test, { username, role: 'super_admin', schoolId: null });

async function person() {
  const staff = await newPerson();
  return { staff, ...(await enrol(staff)) };
}

const codeAt = (secret: string, steps = 0) =>
  codeOfStep(fromBase32(secret), Math.floor(test.clock.now().getTime() / 30_000) + steps);

const path = '/auth/second-factor/app';
const codesPath = '/auth/second-factor/recovery-codes';

async function enrol(staff: Staff) {
  const { secret, enrolment } = await staff.created<{ secret: string; enrolment: string }>(path, {});
  const body = { enrolment, code: codeAt(secret) };
  const { recoveryCodes } = await staff.created<{ recoveryCodes: string[] | null }>(`${path}/confirm`, body);
  test.clock.advance(90_000);
  return { secret, recoveryCodes: recoveryCodes ?? [] };
}

const logIn = ({ username, password }: Staff, code?: string, more: object = {}) =>
  test.anonymous.internal.post('/auth/login', { username, password, ...(code && { code }), ...more });

it('a code app becomes active with its first correct code', async () => {
  const staff = await newPerson('newcomer');
  const { secret, enrolment, url } = await staff.created<Record<string, string>>(path, {});
  expect(url).toBe(`otpauth://totp/Classledger:newcomer?secret=${secret}&issuer=Classledger`);
  expect(await logIn(staff)).toMatchObject({ status: 200 });
  const wrong = await staff.post(`${path}/confirm`, { enrolment, code: '000000' });
  expect(wrong).toMatchObject({ status: 400, message: expect.stringMatching(/code is wrong/) });
  const right = { enrolment, code: codeAt(secret as string) };
  expect(await staff.post(`${path}/confirm`, right)).toMatchObject({ status: 200 });
  expect(await logIn(staff)).toMatchObject({ status: 401, reason: 'code' });
  expect(await staff.read('/auth/second-factor')).toMatchObject({
    codeAppSince: test.clock.now().toISOString(),
    recoveryCodesLeft: 10,
  });
});

it('a new code app must be confirmed by the same person within ten minutes', async () => {
  const [staff, other] = [await newPerson(), await newPerson()];
  const { secret = '', enrolment = '' } = await staff.created<Record<string, string>>(path, {});
  const confirm = (as: Pick<Staff, 'post'>, sent = enrolment) =>
    as.post(`${path}/confirm`, { enrolment: sent, code: codeAt(secret) });
  const expired = { status: 400, message: expect.stringMatching(/expired/) };
  expect(await confirm(other)).toMatchObject(expired);
  expect(await confirm(staff, `${enrolment}A`)).toMatchObject(expired);
  expect(await confirm(staff, 'nonsense')).toMatchObject(expired);
  test.clock.advance(600_001);
  expect(await confirm(await test.signIn(staff.username, staff.password))).toMatchObject(expired);
});

it('a code is asked for only after a correct password, and a missing code counts as no failure', async () => {
  const { staff, secret } = await person();
  const wrongPassword = { ...staff, password: 'wrong' } as Staff;
  for (let n = 0; n < 11; n++) expect(await logIn(staff)).toMatchObject({ status: 401, reason: 'code' });
  const refused = await logIn(wrongPassword, codeAt(secret));
  expect(refused).toMatchObject({ status: 401, message: 'Wrong username or password' });
  expect(refused).not.toHaveProperty('reason');
  // The refused login did not use up the code.
  expect(await logIn(staff, codeAt(secret))).toMatchObject({ status: 200 });
});

it('the server logs codeAsked at most once in 15 minutes, and again after a sign-in', async () => {
  const { staff, secret } = await person();
  const addresses = async () => {
    const path = `/admin/activity?adminId=${staff.id}&action=codeAsked`;
    return (await staff.read<{ ip: string }[]>(path)).map(({ ip }) => ip);
  };
  for (let n = 0; n < 3; n++) await logIn(staff);
  expect(await addresses()).toEqual(['127.0.0.1']);
  test.clock.advance(900_000);
  await logIn(staff);
  expect(await addresses()).toHaveLength(2);
  expect(await logIn(staff, codeAt(secret))).toMatchObject({ status: 200 });
  await logIn(staff);
  expect(await addresses()).toHaveLength(3);
  await logIn({ ...staff, password: 'wrong' } as Staff);
  expect(await addresses()).toHaveLength(3);
});

it('each code of the app works once, half a minute early or late', async () => {
  const { staff, secret } = await person();
  for (const steps of [2, -2]) {
    expect(await logIn(staff, codeAt(secret, steps))).toMatchObject({ status: 401, reason: 'code' });
  }
  expect(await logIn(staff, codeAt(secret, -1))).toMatchObject({ status: 200 });
  expect(await logIn(staff, codeAt(secret, -1))).toMatchObject({ status: 401, reason: 'code' });
  const shown = codeAt(secret, 1);
  expect(await logIn(staff, `${shown.slice(0, 3)} ${shown.slice(3)}`)).toMatchObject({ status: 200 });
  // Earlier codes than the last used one are invalid too.
  expect(await logIn(staff, codeAt(secret))).toMatchObject({ status: 401, reason: 'code' });
});

it.each(['the same code', 'the same recovery code'])(
  'when several sign-ins use %s at once, one of them succeeds',
  async (which) => {
    const { staff, secret, recoveryCodes } = await person();
    const code = which === 'the same code' ? codeAt(secret) : recoveryCodes[3];
    const answers = await Promise.all([1, 2, 3, 4].map(() => logIn(staff, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  },
);

it('the secret of a code app is encrypted, and under another secret key only a recovery code signs in', async () => {
  const { staff, secret, recoveryCodes } = await person();
  const rows = await test.rows('SELECT * FROM code_app WHERE admin_id = $1', staff.id);
  const stored = rows[0].sealed_secret as Buffer;
  for (const clear of [secret, fromBase32(secret).toString('latin1')]) {
    expect(stored.toString('latin1')).not.toContain(clear);
  }
  const env = { SECRET_KEY: 'the secret of some other installation' };
  const moved = await startTestApp(env, { shareDatabaseWith: test });
  const { username, password } = staff;
  const logInThere = (code?: string) =>
    moved.anonymous.internal.post('/auth/login', { username, password, code });
  expect(await logInThere(codeAt(secret))).toMatchObject({ status: 401, reason: 'code' });
  expect(await logInThere(recoveryCodes[0])).toMatchObject({ status: 200 });
});

it('administrators can replace and remove their own code app; without one there are no recovery codes', async () => {
  const { staff, secret } = await person();
  const next = await enrol(staff);
  // Recovery codes stay when an app is replaced.
  expect(next.recoveryCodes).toEqual([]);
  expect(await logIn(staff, codeAt(secret))).toMatchObject({ status: 401 });
  expect(await logIn(staff, codeAt(next.secret))).toMatchObject({ status: 200 });
  expect(await staff.delete(path)).toMatchObject({ status: 200 });
  expect(await staff.delete(path)).toMatchObject({ status: 404 });
  expect(await logIn(staff)).toMatchObject({ status: 200 });
  const { data } = await staff.get('/auth/second-factor');
  expect(data).toEqual({ isRequired: false, codeAppSince: null, passkeys: [], recoveryCodesLeft: 0 });
  expect(await staff.post(codesPath)).toMatchObject({ status: 409 });
});

it('recovery codes are stored as hashes and sign in once each, in any spelling, and each use is logged', async () => {
  const { staff, recoveryCodes } = await person();
  expect(recoveryCodes).toHaveLength(10);
  const rows = await test.rows('SELECT code_hash FROM recovery_code');
  const stored = rows.map(({ code_hash }) => code_hash.toString('latin1')).join();
  for (const code of recoveryCodes) expect(stored).not.toContain(code.replaceAll('-', ''));
  const [first = '', second = ''] = recoveryCodes;
  expect(first).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
  expect(await logIn(staff, first)).toMatchObject({ status: 200 });
  expect(await logIn(staff, first)).toMatchObject({ status: 401, reason: 'code' });
  const spelt = ` ${second.toUpperCase().replaceAll('-', ' ')} `;
  expect(await logIn(staff, spelt)).toMatchObject({ status: 200 });
  expect(await staff.read('/auth/second-factor')).toMatchObject({ recoveryCodesLeft: 8 });
  expect(await staff.read(`/admin/activity?adminId=${staff.id}&action=recoveryCodeUsed`)).toHaveLength(2);
});

it('recovery codes work for their owner only, and only the newest set works', async () => {
  const [one, other] = [await person(), await person()];
  expect(await logIn(other.staff, one.recoveryCodes[0])).toMatchObject({ status: 401 });
  const again = await one.staff.created<{ recoveryCodes: string[] }>(codesPath, {});
  expect(await logIn(one.staff, one.recoveryCodes[0])).toMatchObject({ status: 401 });
  expect(await logIn(one.staff, again.recoveryCodes[0])).toMatchObject({ status: 200 });
});
