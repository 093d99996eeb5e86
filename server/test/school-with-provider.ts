import { createAdmin } from './administrators.ts';
import { client, IdentityProvider, type PlainBrowser } from './identity-provider.ts';
import { createSampleSchool, startTestApp } from './test-app.ts';

/** A school whose people sign in at a provider of their own, and everything served for real. */
export async function openSchoolWithProvider(env: Record<string, string> = {}) {
  const test = await startTestApp({ HTTP_PROVIDERS_ON_LOOPBACK: 'true', TRUST_PROXY: 'true', ...env });
  // What a provider signs is valid now.
  test.clock.set(new Date().toISOString());
  const admin = await test.signIn();
  const school = await createSampleSchool(admin);
  const origin = await test.listen();
  const provider = await IdentityProvider.start([`${origin}/api/auth/sso/callback`]);
  const { schoolDb } = school;
  const add = (settings: object = {}) =>
    admin.created<{ id: number }>('/sign-in-providers', {
      schoolDb,
      name: 'School account',
      issuer: provider.issuer,
      ...client,
      ...settings,
    });
  const { id } = await add();
  const teacher = await createAdmin(test, {
    username: 'zhao.mei',
    role: 'class_admin',
    schoolId: school.id,
    gradeId: school.grades[0].id,
    classId: school.grades[0].classes[0].id,
  });
  provider.add('subject of zhao.mei', { username: 'zhao.mei' });
  const ways = {
    test,
    admin,
    school,
    origin,
    provider,
    id,
    teacher,
    add,
    /** Where a browser is sent to when someone wants to sign in. */
    start: async (browser: PlainBrowser, as: 'admin' | 'student' | 'confirmation', more = '', which = id) => {
      const path = `/api/auth/sso/${which}/start?for=${as}&schoolDb=${schoolDb}${more}`;
      return browser.open(origin + path);
    },
    /** The address that the provider sends a browser back to. */
    visit: async (
      browser: PlainBrowser,
      as: 'admin' | 'student' | 'confirmation',
      subject: string,
      { more = '', which = id, change = (address: string) => address } = {},
    ) => {
      const started = await ways.start(browser, as, more, which);
      const address = started.headers.get('location');
      if (started.status !== 303 || !address) throw new Error(`${started.status} ${await started.text()}`);
      return browser.signInAt(provider, change(address), subject);
    },
    /** Signs in, there and back. */
    signIn: async (
      browser: PlainBrowser,
      as: 'admin' | 'student' | 'confirmation',
      subject: string,
      options: { more?: string; which?: number } = {},
    ) => browser.open(await ways.visit(browser, as, subject, options)),
    /** Who the browser is signed in as; null: nobody. */
    whoIs: async (browser: PlainBrowser) => {
      const answer = await browser.open(`${origin}/api/auth/me`);
      return answer.status === 200
        ? ((await answer.json()) as { data: { username: string } }).data.username
        : null;
    },
  };
  return ways;
}
