import { afterAll, expect, it } from 'vitest';
import { collectLogLines } from '../../../test/collect-log-lines.ts';
import { client, PlainBrowser } from '../../../test/identity-provider.ts';
import { openSchoolWithProvider } from '../../../test/school-with-provider.ts';

const lines = collectLogLines();
const setup = await openSchoolWithProvider({ LOG_LEVEL: 'info' });
const { test, provider, school } = setup;

afterAll(async () => {
  await provider.stop();
});

async function stored(): Promise<string> {
  const { pool } = test.database;
  const { rows } = await pool.query("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'");
  const tables = rows.map(({ name }) => pool.query(`SELECT t::text AS row FROM ${name} t`));
  return (await Promise.all(tables)).flatMap((table) => table.rows.map(({ row }) => row)).join('\n');
}

it.each([
  ['unknown starts', '/api/auth/sso/4711/start'],
  ['returns without a start', '/api/auth/sso/callback?state=x'],
])('a flood of %s gets 429 after 300, and logs no more than 300 lines', async (_what, url) => {
  const before = lines.length;
  const answers = new Map<number, number>();
  for (let n = 0; n < 400; n++) {
    const { statusCode } = await test.app.http.inject({ url, remoteAddress: '192.0.2.7' });
    answers.set(statusCode, (answers.get(statusCode) ?? 0) + 1);
  }
  expect([answers.get(429), lines.length - before]).toEqual([100, 300]);
  expect((await setup.signIn(new PlainBrowser(), 'admin', 'subject of zhao.mei')).status).toBe(303);
});

it('sign-ins never store or log secrets in plaintext, and each writes a log line', async () => {
  const secrets: string[] = [client.clientSecret];
  provider.forge = (token) => {
    secrets.push(provider.signToken(token));
    return token;
  };
  const keep = (address: string) => {
    const { searchParams } = new URL(address);
    for (const name of ['state', 'nonce', 'code']) secrets.push(...searchParams.getAll(name));
    return address;
  };
  const pupil = school.grades[0].classes[0].students[0]?.username as string;
  provider.add('pupil', { username: pupil });
  provider.add('nobody', { username: 'typed by nobody' });
  for (const [as, subject] of [
    ['admin', 'subject of zhao.mei'],
    ['student', 'pupil'],
    ['admin', 'nobody'],
  ] as const) {
    const browser = new PlainBrowser();
    const address = await setup.signInAtProvider(browser, as, subject, { change: keep });
    keep(address);
    secrets.push(...browser.cookie.split('; ').map((cookie) => cookie.split('=')[1] as string));
    const back = await browser.open(address);
    secrets.push(...(/code=(.+)$/.exec(back.headers.get('location') ?? '')?.slice(1) ?? []));
  }
  const tampered = new URL(await setup.signInAtProvider(new PlainBrowser(), 'admin', 'subject of zhao.mei'));
  keep(tampered.href);
  await new PlainBrowser().open(tampered.href);
  await setup.admin.get('/admin/activity?limit=1');

  const texts = [JSON.stringify(lines), await stored()];
  expect(secrets.length).toBeGreaterThan(20);
  for (const text of texts) {
    expect(secrets.filter((secret) => secret !== '' && text.includes(secret))).toEqual([]);
  }
  expect(texts[0]).not.toContain('typed by nobody');
  const events = lines.filter(({ event }) => event !== undefined);
  expect(events.map(({ event, reason }) => [event, reason])).toEqual(
    expect.arrayContaining([
      ['signedIn', undefined],
      ['signInFailed', 'noAccount'],
      ['signInFailed', 'ended'],
    ]),
  );
});
