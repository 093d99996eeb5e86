import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AdminClient } from '../../../server/test/identities.ts';
import {
  createSampleSchool,
  type SampleSchool,
  startTestApp,
  studentPassword,
  superAdmin,
  type TestApp,
} from '../../../server/test/test-app.ts';
import { type Language, languages } from '../../../web/src/i18n/language.ts';
import { openWatchedPage, type screens } from './browser.ts';
import { navigateInApp } from './page-actions.ts';
import { markPasswordsAsChosen, runImportsInBackground } from './served-school.ts';
import { type Translator, translatorFor } from './translator.ts';

/** An administrator of each role, a student of the first class, or a visitor. */
export type JourneyRole = 'super' | 'school' | 'grade' | 'class' | 'student' | 'nobody';

/** One person with one screen, at their own school with a grade head and a class teacher. */
export interface Visit {
  readonly traveller: JourneyRole;
  readonly screen: keyof typeof screens;
  readonly language: Language;
  readonly app: TestApp;
  readonly origin: string;
  /** Two grades of two classes with three students each: `s1a1` … `s2b3`. */
  readonly school: SampleSchool;
  readonly admin: AdminClient;
  readonly username: string;
  readonly password: string;
  readonly context: BrowserContext;
  /** All journeys of a title share it, because a new page would compile everything again. */
  readonly page: Page;
  readonly say: Translator;
  go(path: string): Promise<void>;
  /** Opens an address inside the loaded administrators' app. */
  goOn(path: string): Promise<void>;
  /** The row of a table, which is a card on a phone. */
  row(text: string | RegExp): Locator;
  choose(where: Page | Locator, field: string, option: string): Promise<void>;
  /** Ignores a browser complaint that this journey causes on purpose. */
  forgive(complaint: RegExp): void;
}

export type Journey = (title: string, travel: (visit: Visit) => Promise<void>) => void;

type JourneyLook = Pick<Visit, 'screen' | 'language'>;

const everyLook: readonly JourneyLook[] = languages.flatMap((language) =>
  (['desktop', 'phone'] as const).map((screen) => ({ screen, language })),
);

interface Case extends JourneyLook {
  readonly traveller: JourneyRole;
}

/**
 * Chooses the first traveller, and a screen and language by the length of the title.
 * All combinations take many times as long: `ALL_LOOKS=1 npx vitest run e2e/src/journeys`.
 */
function casesOf(title: string, travellers: readonly [JourneyRole, ...JourneyRole[]]): readonly Case[] {
  if (process.env.ALL_LOOKS) {
    return travellers.flatMap((traveller) => everyLook.map((look) => ({ traveller, ...look })));
  }
  const look = everyLook[(title.length >> 1) % everyLook.length] as JourneyLook;
  return [{ traveller: travellers[0], ...look }];
}

/**
 * Declares journeys of one traveller on one screen in one language. They share a new school.
 * Each journey must end without browser complaints, foreign requests and horizontal overflow.
 *
 * @param options.host the server's name for the browser; passkeys need `localhost`
 * @param options.runsImports whether the server works on imports meanwhile
 */
export function describeJourneys(
  title: string,
  travellers: readonly [JourneyRole, ...JourneyRole[]],
  declare: (journey: Journey) => void,
  options: { readonly host?: '127.0.0.1' | 'localhost'; readonly runsImports?: boolean } = {},
): void {
  const { host = '127.0.0.1', runsImports = false } = options;
  describe(title, () => {
    let app: TestApp;

    beforeAll(async () => {
      app = await startTestApp();
      if (runsImports) runImportsInBackground(app);
      await app.listen();
    });

    const cases = casesOf(title, travellers);
    describe.each(cases)('$traveller, $screen, $language', ({ traveller, screen, language }) => {
      let visit: Visit;
      let watched: Awaited<ReturnType<typeof openWatchedPage>>;
      let forgiven: RegExp[] = [];

      beforeAll(async () => {
        const arrived = await arrive(app, traveller, host);
        await markPasswordsAsChosen(app);
        const { origin } = arrived;
        watched = await openWatchedPage(origin, { screen, colorScheme: 'light', reducedMotion: true });
        const { context } = watched;
        const addressOf = (path: string) => {
          const address = new URL(path, origin);
          if (traveller === 'super') address.searchParams.set('school', arrived.school.schoolDb);
          return address;
        };
        await signIn(context, arrived, language);
        visit = {
          ...arrived,
          screen,
          language,
          context,
          page: watched.page,
          say: translatorFor(language),
          go: async (path) => {
            await visit.page.goto(addressOf(path).href);
          },
          goOn: (path) => navigateInApp(visit.page, addressOf(path)),
          row: (text) =>
            visit.page.getByRole(screen === 'phone' ? 'listitem' : 'row').filter({ hasText: text }),
          choose: async (where, field, option) => {
            await where.getByRole('combobox', { name: field }).click();
            await visit.page.getByRole('option', { name: option, exact: true }).first().click();
          },
          forgive: (complaint) => forgiven.push(complaint),
        };
      });

      beforeEach(async () => {
        forgiven = [];
        watched.complaints.length = 0;
        await visit.page.unrouteAll();
      });

      afterAll(() => watched?.context.close());

      declare((name, travel) =>
        it(name, async () => {
          await travel(visit);
          const overflow = 'document.documentElement.scrollWidth - window.innerWidth';
          expect({
            complaints: watched.complaints.filter((text) => !forgiven.some((known) => known.test(text))),
            beside: Math.max(0, Number(await visit.page.evaluate(overflow))),
          }).toEqual({ complaints: [], beside: 0 });
        }),
      );
    });
  });
}

type Arrived = Pick<Visit, 'traveller' | 'app' | 'origin' | 'school' | 'admin' | 'username' | 'password'>;

let schools = 0;

async function arrive(app: TestApp, traveller: JourneyRole, host: string): Promise<Arrived> {
  schools += 1;
  const admin = await app.signIn();
  const school = await createSampleSchool(admin, `Riverside School ${schools}`);
  const [grade] = school.grades;
  const [{ id: classId, students }] = grade.classes;
  const reach = { school: {}, grade: { gradeId: grade.id }, class: { classId } };
  const here = { traveller, app, origin: (await app.listen()).replace('127.0.0.1', host), school, admin };
  if (traveller === 'super') return { ...here, ...superAdmin };
  if (traveller === 'nobody') return { ...here, username: '', password: '' };
  if (traveller === 'student') {
    return { ...here, username: students[0]?.username ?? '', password: studentPassword };
  }
  const login = { username: `${traveller}-${schools}`, password: 'password of the visit' };
  const role = `${traveller}_admin`;
  await admin.created('/admin/manage', { schoolId: school.id, role, ...reach[traveller], ...login });
  return { ...here, ...login };
}

async function signIn(context: BrowserContext, arrived: Arrived, language: Language): Promise<void> {
  const { traveller, app, origin, school, username, password } = arrived;
  const kept: Record<string, string> = { 'classledger.language': language };
  if (traveller === 'student') {
    const { token } = await app.signInStudent(school.schoolDb, username, password);
    kept['classledger.student-token'] = token;
  } else if (traveller !== 'nobody') {
    await context.request.post(`${origin}/api/auth/login`, {
      data: { username, password, confirmations: true },
    });
    kept['classledger.admin-signed-in'] = '1';
  }
  // The script stores these values only once, so that later choices of the journey survive a reload.
  const state = Object.entries(kept).map(([name, value]) => ({ name, value }));
  await context.addInitScript(
    `if (location.origin !== 'null' && !localStorage.getItem('classledger.arrived')) {
       for (const { name, value } of ${JSON.stringify([...state, { name: 'classledger.arrived', value: '1' }])})
         localStorage.setItem(name, value);
     }`,
  );
}
