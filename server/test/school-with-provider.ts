import { createAdmin } from './administrators.ts';
import { client, IdentityProvider, type PlainBrowser } from './identity-provider.ts';
import { createSampleSchool, startTestApp } from './test-app.ts';

type Purpose = 'admin' | 'student' | 'confirmation';

/** Starts a test server with a school, and a sign-in provider for it. Both listen on real ports. */
export async function openSchoolWithProvider(env: Record<string, string> = {}) {
  const test = await startTestApp({ HTTP_PROVIDERS_ON_LOOPBACK: 'true', TRUST_PROXY: 'true', ...env });
  // Sets the real time, at which tokens of the provider are valid.
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
  const [grade] = school.grades;
  const place = { schoolId: school.id, gradeId: grade.id, classId: grade.classes[0].id };
  const teacher = await createAdmin(test, { username: 'zhao.mei', role: 'class_admin', ...place });
  provider.add('subject of zhao.mei', { username: 'zhao.mei' });
  const setup = {
    ...{ test, admin, school, origin, provider, id, teacher, add },
    remove: (which: number) => admin.delete(`/sign-in-providers/${which}?schoolDb=${schoolDb}`),
    start: (browser: PlainBrowser, as: Purpose, more = '', which = id) =>
      browser.open(`${origin}/api/auth/sso/${which}/start?for=${as}&schoolDb=${schoolDb}${more}`),
    /** Signs in at the provider and returns the URL to which the provider sends the browser back. */
    signInAtProvider: async (
      browser: PlainBrowser,
      as: Purpose,
      subject: string,
      { more = '', which = id, change = (address: string) => address } = {},
    ) => {
      const started = await setup.start(browser, as, more, which);
      const address = started.headers.get('location');
      if (started.status !== 303 || !address) throw new Error(`${started.status} ${await started.text()}`);
      return browser.signInAt(provider, change(address), subject);
    },
    signIn: async (
      browser: PlainBrowser,
      as: Purpose,
      subject: string,
      options: { more?: string; which?: number } = {},
    ) => browser.open(await setup.signInAtProvider(browser, as, subject, options)),
    readSignedInUsername: async (browser: PlainBrowser) => {
      const answer = await browser.open(`${origin}/api/auth/me`);
      return answer.status === 200
        ? ((await answer.json()) as { data: { username: string } }).data.username
        : null;
    },
  };
  return setup;
}
