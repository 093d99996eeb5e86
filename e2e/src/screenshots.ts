import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContext } from 'playwright-core';
import { demoLogins, studentPassword, superAdminPassword } from '../../server/src/demo/logins.ts';
import { newFolder, removeFolder, ServerProcess } from '../../server/test/server-process.ts';
import { launchBrowser, looks, screens } from './harness/browser.ts';
import type { JourneyRole } from './harness/journeys.ts';
import { pagesByRole } from './harness/pages.ts';

/**
 * Takes a picture of each page on desktop and phone, in light and dark, in Chinese and English.
 * `npm run screenshots -- [--folder <folder>] [--only <part of a name>]`
 */

const { values } = parseArgs({
  options: { folder: { type: 'string', default: 'screenshots' }, only: { type: 'string', default: '' } },
});

const languages = ['en', 'zh-CN'] as const;

const usernames: Readonly<Record<JourneyRole, Person>> = {
  nobody: 'nobody',
  student: 'student',
  class: 'class.admin',
  grade: 'grade.admin',
  school: 'school.admin',
  super: 'admin',
};

type Person =
  | 'nobody'
  | 'admin'
  | 'student'
  | 'new.teacher'
  | 'new.student'
  | (typeof demoLogins)[number]['username'];

const givenPassword = 'given by the office';

const data = newFolder();
const server = new ServerProcess(
  {
    PORT: '0',
    DATA_DIR: join(data, 'data'),
    ADMIN_PASSWORD: superAdminPassword,
    WEBHOOK_ALLOW_PRIVATE: 'true',
  },
  data,
  'demo',
);
await server.ready();
const origin = server.address as string;
/** A receiver that answers the status in its address, or rejects every second change. */
const receiver = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { data: change } = JSON.parse(Buffer.concat(parts).toString());
  response.writeHead(Number(request.url?.slice(1)) || (change.id % 2 ? 204 : 422)).end();
});
await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
const browser = await launchBrowser({ fonts: 'installed' });
try {
  const webhook = await leaveTraces(browser);
  for (const look of looks) {
    for (const language of languages) {
      const folder = join(resolve(values.folder), `${look.screen}-${look.colorScheme}-${language}`);
      await mkdir(folder, { recursive: true });
      const takeAs = (person: Person, paths: readonly string[]) =>
        takeAll(browser, { folder, look, language, person, paths, webhook });
      for (const [traveller, paths] of Object.entries(pagesByRole))
        await takeAs(usernames[traveller as JourneyRole], paths);
      await takeAs('new.teacher', ['/admin']);
      await takeAs('new.student', ['/student']);
    }
  }
} finally {
  await browser.close();
  await server.stop();
  receiver.close();
  await removeFolder(data);
}

interface Task {
  readonly folder: string;
  readonly look: (typeof looks)[number];
  readonly language: (typeof languages)[number];
  readonly person: Person;
  readonly paths: readonly string[];
  readonly webhook: number;
}

async function takeAll(
  browser: Browser,
  { folder, look, language, person, paths, webhook }: Task,
): Promise<void> {
  // These ids are unknown here.
  const wanted = paths.filter(
    (path) => `${person}${path}`.includes(values.only) && !/\{(term|import)\}/.test(path),
  );
  if (wanted.length === 0) return;
  const context = await browser.newContext({
    viewport: screens[look.screen],
    colorScheme: look.colorScheme,
    ...(look.screen === 'phone' && { hasTouch: true, isMobile: true, deviceScaleFactor: 2 }),
  });
  await context.addInitScript(`localStorage.setItem('classledger.language', '${language}');`);
  const student = await signIn(context, person);
  const ids = { student, webhook };
  const page = await context.newPage();
  for (const path of wanted) {
    const address = path.replace(/\{(\w+)\}/, (_, name: keyof typeof ids) => String(ids[name]));
    await page.goto(origin + address, { waitUntil: 'networkidle' });
    // Charts are animated.
    await page.waitForTimeout(600);
    const name = `${path.slice(1).replace(/[{}]/g, '').replaceAll('/', '-') || 'public'}`;
    await page.screenshot({ path: join(folder, `${person}-${name}.png`) });
  }
  await context.close();
}

/** Creates calls, changes and webhooks for the logs. @returns the id of a webhook */
async function leaveTraces(browser: Browser): Promise<number> {
  const tokens = JSON.parse(await readFile(join(data, 'data', 'demo-credentials.json'), 'utf8'));
  const calls = ['/students?limit=50', '/classes', '/stats/overview', '/students/0', '/scores?limit=20'];
  for (const token of [tokens.class, tokens.school]) {
    for (const path of calls) {
      const headers = { authorization: `Bearer ${token}`, 'user-agent': 'seating-script/1.4' };
      await (await fetch(`${origin}/api/v1${path}`, { headers })).arrayBuffer();
    }
  }
  const webhook = await leaveWebhooks(tokens.school);
  const context = await browser.newContext();
  const { schoolId: schoolDb } = await post(context, '/auth/login', loginOf('school.admin'));
  const { id } = await post(context, '/grades', { schoolDb, name: 'Summer school' });
  await context.request.patch(`${origin}/api/grades/${id}`, {
    data: { schoolDb, name: '暑期班 Summer school' },
  });
  await context.request.delete(`${origin}/api/grades/${id}?schoolDb=${schoolDb}`);
  const { classId } = (await get(context, `/users?schoolDb=school_${schoolDb}&limit=1`))[0];
  const login = { password: givenPassword };
  const teacher = { ...login, username: 'new.teacher', role: 'class_admin' };
  await post(context, '/admin/manage', { ...teacher, schoolId: schoolDb, classId });
  const student = { ...login, username: 'new.student', actualName: '林小雨' };
  await post(context, '/users', { ...student, schoolDb, classId });
  await context.close();
  return webhook;
}

async function leaveWebhooks(token: string): Promise<number> {
  const call = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const how = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    return (await (await fetch(`${origin}/api/v1${path}`, how)).json()).data;
  };
  const { port } = receiver.address() as AddressInfo;
  const made: number[] = [];
  for (const path of ['', '410', '503']) {
    const url = `http://localhost:${port}/${path}`;
    made.push((await call('/webhooks', { url, events: ['score.*', 'student.*'] })).id);
  }
  const { list } = await call('/students?limit=6');
  for (const { id: userId } of list) await call('/scores', { userId, scoreChange: 2 });
  return made[0] as number;
}

async function signIn(context: BrowserContext, person: Person): Promise<number> {
  if (person === 'nobody') return 0;
  if (person === 'student' || person === 'new.student') {
    const { username } =
      person === 'student' ? await firstStudent(context, 'class.admin') : { username: person };
    const password = person === 'student' ? studentPassword : givenPassword;
    const { token } = await post(context, '/auth/student/login', { username, password });
    await context.addInitScript(`localStorage.setItem('classledger.student-token', '${token}');`);
    return 0;
  }
  await context.addInitScript(`localStorage.setItem('classledger.admin-signed-in', '1');`);
  if (person !== 'admin' && person !== 'new.teacher') return (await firstStudent(context, person)).id;
  const password = person === 'admin' ? superAdminPassword : givenPassword;
  await post(context, '/auth/login', { username: person, password, confirmations: true });
  return 0;
}

async function post(context: BrowserContext, path: string, body: object) {
  return (await (await context.request.post(`${origin}/api${path}`, { data: body })).json()).data;
}

async function get(context: BrowserContext, path: string) {
  return (await (await context.request.get(`${origin}/api${path}`)).json()).data;
}

function loginOf(username: string) {
  const password = demoLogins.find((login) => login.username === username)?.password;
  return { username, password, confirmations: true };
}

async function firstStudent(
  context: BrowserContext,
  username: string,
): Promise<{ id: number; username: string }> {
  const { schoolId } = await post(context, '/auth/login', loginOf(username));
  return (await get(context, `/users?schoolDb=school_${schoolId}&limit=1`))[0];
}
