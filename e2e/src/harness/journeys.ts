import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  atEndOfFile,
  createSampleSchool,
  type SampleSchool,
  startTestApp,
  studentPassword,
  superAdmin,
  type TestApp,
} from '../../../server/test/test-app.ts';
import type { Language } from '../../../web/src/i18n/language.ts';
import { type Look, openWatchedPage, type WatchedPage } from './browser.ts';
import { chooseOption, navigateInApp, pixelsBeside } from './page-actions.ts';
import { markPasswordsAsChosen } from './served-school.ts';
import { translatorFor } from './translator.ts';

/** An administrator of each role, a student of the first class, or a visitor. A teacher has the first class of each grade. */
export type JourneyRole = 'super' | 'school' | 'grade' | 'class' | 'teacher' | 'student' | 'nobody';

interface Traveller {
  readonly traveller: JourneyRole;
  readonly app: TestApp;
  /** Two grades of two classes with three students each: `s1a1` … `s2b3`. */
  readonly school: SampleSchool;
  readonly username: string;
  readonly password: string;
}

interface JourneyLook extends Pick<Look, 'screen'> {
  readonly language: Language;
}

/** One person with one screen, at their own school. */
export type Visit = ReturnType<typeof visitOf>;

type Journey = (title: string, travel: (visit: Visit) => Promise<void>) => void;

/**
 * Declares journeys of one traveller on one screen in one language. They share a new school.
 * Each journey must end without browser complaints, foreign requests and horizontal overflow.
 *
 * @param look titles of one file should have the same screen, because each screen needs an app and a page
 */
export function describeJourneys(
  title: string,
  traveller: JourneyRole,
  look: JourneyLook,
  declare: (journey: Journey) => void,
): void {
  describe(title, () => {
    let visit: Visit;

    beforeAll(async () => {
      if (stage?.screen !== look.screen) stage = await openStage(look.screen);
      const { app, watched } = stage;
      const arrived = await arrive(app, traveller);
      await markPasswordsAsChosen(app);
      await enter(watched, arrived, look.language);
      visit = visitOf({ ...watched, ...arrived }, look);
    });

    beforeEach(async () => {
      visit.forgiven.length = 0;
      visit.complaints.length = 0;
      await visit.page.unrouteAll();
    });

    declare((name, travel) =>
      it(name, async () => {
        await travel(visit);
        const { page, complaints, forgiven } = visit;
        expect({
          complaints: complaints.filter((text) => !forgiven.some((known) => known.test(text))),
          beside: Math.max(0, await pixelsBeside(page)),
        }).toEqual({ complaints: [], beside: 0 });
      }),
    );
  });
}

function visitOf(
  { traveller, ...here }: WatchedPage & Awaited<ReturnType<typeof arrive>>,
  { screen, language }: JourneyLook,
) {
  const { page, origin, school } = here;
  const say = translatorFor(language);
  const forgiven: RegExp[] = [];
  const addressOf = (path: string) => {
    const address = new URL(path, origin);
    if (traveller === 'super') address.searchParams.set('school', school.schoolDb);
    return address;
  };
  return {
    ...here,
    say,
    forgiven,
    /** Ignores a browser complaint that this journey causes on purpose. */
    forgive: (complaint: RegExp) => void forgiven.push(complaint),
    go: async (path: string) => void (await page.goto(addressOf(path).href)),
    /** Opens an address inside the loaded administrators' app. */
    goOn: (path: string) => navigateInApp(page, addressOf(path)),
    main: page.getByRole('main'),
    /** Any open dialog. */
    dialog: page.getByRole('dialog'),
    /** A labelled part of the page. */
    region: (name: string) => page.getByRole('region', { name }),
    /** The title of the page. */
    heading: (name: string | RegExp) => page.getByRole('heading', { level: 1, name }),
    /** The row of a table, which is a card on a phone. */
    row: (text: string) => page.getByRole(screen === 'phone' ? 'listitem' : 'row').filter({ hasText: text }),
    /** The first button with this name. */
    button: (name: string) => page.getByRole('button', { name }).first(),
    choose: (where: Page | Locator, field: string, option: string) =>
      chooseOption(page, field, option, where),
    /** Chooses an option of a group in which all options are visible. */
    pick: (group: string, option: string) =>
      page.getByRole('radiogroup', { name: group }).getByText(option).click(),
    /** Chooses an action in the menu of a row. */
    act: async (name: string, action: string, where: Page | Locator = page) => {
      await where.getByRole('button', { name: say.lists('actionsFor', { name }) }).click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    },
    /** Presses a button of the dialog with this title. */
    answerDialog: (title: string, button: string) =>
      page.getByRole('dialog', { name: title }).getByRole('button', { name: button }).click(),
    /** Signs in by the form that the page shows. */
    signIn: async ({ username, password }: Pick<Traveller, 'username' | 'password'>) => {
      await page.getByRole('textbox', { name: say.signIn('username') }).fill(username);
      await page.getByLabel(say.signIn('password'), { exact: true }).fill(password);
      await page.getByRole('button', { name: say.signIn('signIn'), exact: true }).click();
    },
    /** Chooses a first password by the form that the page shows. */
    choosePassword: async (password: string) => {
      await page.getByLabel(say.ownPassword('newPassword'), { exact: true }).fill(password);
      await page.getByLabel(say.ownPassword('repeatPassword'), { exact: true }).fill(password);
      await page.getByRole('button', { name: say.ownPassword('saveAndGo') }).click();
    },
  };
}

/** The application and the page of this test file, because a new page would compile everything again. */
let stage: Awaited<ReturnType<typeof openStage>> | null = null;

async function openStage(screen: JourneyLook['screen']) {
  const app = await startTestApp();
  // Passkeys need a host name.
  const origin = (await app.listen()).replace('127.0.0.1', 'localhost');
  atEndOfFile(async () => {
    stage = null;
  });
  return { app, screen, watched: await openWatchedPage(origin, { screen }) };
}

let schools = 0;

/** Creates a school, and the traveller's account there. */
async function arrive(app: TestApp, traveller: JourneyRole) {
  schools += 1;
  const admin = await app.signIn();
  const school = await createSampleSchool(admin, `Riverside School ${schools}`);
  const [grade] = school.grades;
  const [{ id: classId, students }] = grade.classes;
  const teaches = school.grades.map(({ classes }) => ({ classId: classes[0].id }));
  const reach = { school: {}, grade: { gradeId: grade.id }, class: { classId }, teacher: { teaches } };
  const here = { traveller, app, school, admin };
  if (traveller === 'super') return { ...here, ...superAdmin };
  if (traveller === 'nobody') return { ...here, username: '', password: '' };
  if (traveller === 'student') {
    return { ...here, username: students[0].username, password: studentPassword };
  }
  const login = { username: `${traveller}-${schools}`, password: 'password of the visit' };
  const role = traveller === 'teacher' ? traveller : `${traveller}_admin`;
  await admin.created('/admin/manage', { schoolId: school.id, role, ...reach[traveller], ...login });
  return { ...here, ...login };
}

/** Empties the browser, and signs the traveller in. */
export async function enter(
  { origin, page, context }: WatchedPage,
  { traveller, app, school, username, password }: Traveller,
  language: Language,
): Promise<void> {
  const stored: Record<string, string> = { 'classledger.language': language };
  const isStaff = traveller !== 'student' && traveller !== 'nobody';
  if (isStaff) stored['classledger.admin-signed-in'] = '1';
  if (traveller === 'student') {
    const { token } = await app.signInStudent(school.schoolDb, username, password);
    stored['classledger.student-token'] = token;
  }
  // The open page would answer to the changes.
  await page.goto(`${origin}/icon.svg`);
  await context.clearCookies();
  await page.evaluate(`
    localStorage.clear();
    sessionStorage.clear();
    Object.assign(localStorage, ${JSON.stringify(stored)});
  `);
  const data = { username, password, confirmations: true };
  if (isStaff) await context.request.post(`${origin}/api/auth/login`, { data });
}
