import type { BrowserContext, Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AdminClient } from '../../../server/test/identities.ts';
import {
  atEndOfFile,
  createSampleSchool,
  type SampleSchool,
  startTestApp,
  studentPassword,
  superAdmin,
  type TestApp,
} from '../../../server/test/test-app.ts';
import { type Language, languages } from '../../../web/src/i18n/language.ts';
import { emptyBrowser, openWatchedPage, type screens, type WatchedPage } from './browser.ts';
import { navigateInApp } from './page-actions.ts';
import { markPasswordsAsChosen } from './served-school.ts';
import { type Translator, translatorFor } from './translator.ts';

/** An administrator of each role, a student of the first class, or a visitor. A teacher has the first class of each grade. */
export type JourneyRole = 'super' | 'school' | 'grade' | 'class' | 'teacher' | 'student' | 'nobody';

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
  /** The journeys of a file share it, because a new page would compile everything again. */
  readonly page: Page;
  readonly say: Translator;
  go(path: string): Promise<void>;
  /** Opens an address inside the loaded administrators' app. */
  goOn(path: string): Promise<void>;
  readonly main: Locator;
  /** Any open dialog. */
  readonly dialog: Locator;
  /** A labelled part of the page. */
  region(name: string): Locator;
  /** The title of the page. */
  heading(name: string | RegExp): Locator;
  /** The row of a table, which is a card on a phone. */
  row(text: string | RegExp): Locator;
  /** The first button with this name. */
  button(name: string): Locator;
  choose(where: Page | Locator, field: string, option: string): Promise<void>;
  /** Chooses an option of a group in which all options are visible. */
  pick(group: string, option: string): Promise<void>;
  /** Chooses an action in the menu of a row. */
  act(name: string, action: string, where?: Page | Locator): Promise<void>;
  /** Signs in by the form that the page shows. */
  signIn(login: Pick<Visit, 'username' | 'password'>): Promise<void>;
  /** Chooses a first password by the form that the page shows. */
  choosePassword(password: string): Promise<void>;
  /** Ignores a browser complaint that this journey causes on purpose. */
  forgive(complaint: RegExp): void;
}

export type Journey = (title: string, travel: (visit: Visit) => Promise<void>) => void;

type JourneyLook = Pick<Visit, 'screen' | 'language'>;

const everyLook: readonly JourneyLook[] = languages.flatMap((language) =>
  (['desktop', 'phone'] as const).map((screen) => ({ screen, language })),
);

/**
 * Declares journeys of one traveller on one screen in one language. They share a new school.
 * Each journey must end without browser complaints, foreign requests and horizontal overflow.
 * `ALL_LOOKS=1 npx vitest run e2e/src/journeys` tries all travellers in all looks, and takes many times as long.
 *
 * @param travellers who can make these journeys; usually only the first one does
 * @param look titles of one file should have the same screen, because each screen needs a page
 */
export function describeJourneys(
  title: string,
  travellers: readonly [JourneyRole, ...JourneyRole[]],
  look: JourneyLook,
  declare: (journey: Journey) => void,
): void {
  const cases = process.env.ALL_LOOKS
    ? travellers.flatMap((traveller) => everyLook.map((each) => ({ traveller, ...each })))
    : [{ traveller: travellers[0], ...look }];
  describe(title, () => {
    describe.each(cases)('$traveller, $screen, $language', ({ traveller, screen, language }) => {
      let visit: Visit;
      let watched: WatchedPage;
      let forgiven: RegExp[] = [];

      beforeAll(async () => {
        const entered = await enterStage(screen);
        watched = entered.watched;
        const { context, page } = watched;
        const arrived = await arrive(entered.app, traveller);
        await markPasswordsAsChosen(entered.app);
        const addressOf = (path: string) => {
          const address = new URL(path, arrived.origin);
          if (traveller === 'super') address.searchParams.set('school', arrived.school.schoolDb);
          return address;
        };
        await enter(watched, arrived, language);
        const say = translatorFor(language);
        const dialog = page.getByRole('dialog');
        visit = {
          ...arrived,
          screen,
          language,
          context,
          page,
          say,
          main: page.getByRole('main'),
          dialog,
          region: (name) => page.getByRole('region', { name }),
          heading: (name) => page.getByRole('heading', { level: 1, name }),
          go: async (path) => {
            await page.goto(addressOf(path).href);
          },
          goOn: (path) => navigateInApp(page, addressOf(path)),
          row: (text) => page.getByRole(screen === 'phone' ? 'listitem' : 'row').filter({ hasText: text }),
          choose: async (where, field, option) => {
            await where.getByRole('combobox', { name: field }).click();
            await page.getByRole('option', { name: option, exact: true }).first().click();
          },
          pick: (name, option) => page.getByRole('radiogroup', { name }).getByText(option).click(),
          button: (name) => page.getByRole('button', { name }).first(),
          act: async (name, action, where = page) => {
            await where.getByRole('button', { name: say.lists('actionsFor', { name }) }).click();
            await page.getByRole('menuitem', { name: action, exact: true }).click();
          },
          signIn: async ({ username, password }) => {
            await page.getByRole('textbox', { name: say.signIn('username') }).fill(username);
            await page.getByLabel(say.signIn('password'), { exact: true }).fill(password);
            await page.getByRole('button', { name: say.signIn('signIn'), exact: true }).click();
          },
          choosePassword: async (password) => {
            await page.getByLabel(say.ownPassword('newPassword'), { exact: true }).fill(password);
            await page.getByLabel(say.ownPassword('repeatPassword'), { exact: true }).fill(password);
            await page.getByRole('button', { name: say.ownPassword('saveAndGo') }).click();
          },
          forgive: (complaint) => forgiven.push(complaint),
        };
      });

      beforeEach(async () => {
        forgiven = [];
        watched.complaints.length = 0;
        await visit.page.unrouteAll();
      });

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

/** The application of this test file, and its page on each screen. */
let stage: { readonly app: TestApp; readonly pages: Map<Visit['screen'], WatchedPage> } | null = null;

async function enterStage(screen: Visit['screen']): Promise<{ app: TestApp; watched: WatchedPage }> {
  if (stage === null) {
    stage = { app: await startTestApp(), pages: new Map() };
    atEndOfFile(async () => {
      stage = null;
    });
  }
  const { app, pages } = stage;
  const watched = pages.get(screen) ?? (await openWatchedPage(await originOf(app), { screen }));
  pages.set(screen, watched);
  return { app, watched };
}

/** Passkeys need a host name. */
const originOf = async (app: TestApp) => (await app.listen()).replace('127.0.0.1', 'localhost');

type Traveller = Pick<Visit, 'traveller' | 'app' | 'origin' | 'school' | 'username' | 'password'>;

let schools = 0;

async function arrive(app: TestApp, traveller: JourneyRole): Promise<Traveller & Pick<Visit, 'admin'>> {
  schools += 1;
  const admin = await app.signIn();
  const school = await createSampleSchool(admin, `Riverside School ${schools}`);
  const [grade] = school.grades;
  const [{ id: classId, students }] = grade.classes;
  const teaches = school.grades.map(({ classes }) => ({ classId: classes[0].id }));
  const reach = { school: {}, grade: { gradeId: grade.id }, class: { classId }, teacher: { teaches } };
  const here = { traveller, app, origin: await originOf(app), school, admin };
  if (traveller === 'super') return { ...here, ...superAdmin };
  if (traveller === 'nobody') return { ...here, username: '', password: '' };
  if (traveller === 'student') {
    return { ...here, username: students[0]?.username ?? '', password: studentPassword };
  }
  const login = { username: `${traveller}-${schools}`, password: 'password of the visit' };
  const role = traveller === 'teacher' ? traveller : `${traveller}_admin`;
  await admin.created('/admin/manage', { schoolId: school.id, role, ...reach[traveller], ...login });
  return { ...here, ...login };
}

/** Empties the browser, and signs the traveller in. */
export async function enter(watched: WatchedPage, arrived: Traveller, language: Language): Promise<void> {
  const { traveller, app, origin, school, username, password } = arrived;
  const stored: Record<string, string> = { 'classledger.language': language };
  const isStaff = traveller !== 'student' && traveller !== 'nobody';
  if (isStaff) stored['classledger.admin-signed-in'] = '1';
  if (traveller === 'student') {
    const { token } = await app.signInStudent(school.schoolDb, username, password);
    stored['classledger.student-token'] = token;
  }
  await emptyBrowser(watched, origin, stored);
  const data = { username, password, confirmations: true };
  if (isStaff) await watched.context.request.post(`${origin}/api/auth/login`, { data });
}
