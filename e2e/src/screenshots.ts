import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContext } from 'playwright-core';
import { demoLogins, studentPassword, superAdminPassword } from '../../server/src/demo/logins.ts';
import { newFolder, removeFolder, ServerProcess } from '../../server/test/server-process.ts';
import { launchBrowser, looks, screens } from './harness/browser.ts';
import { pagesByRole } from './harness/pages.ts';

/**
 * Takes a picture of each page on desktop and phone, in light and dark, in Chinese and English.
 * `npm run screenshots -- [--folder <folder>] [--only <part of a name>]`
 */

const { values } = parseArgs({
  options: { folder: { type: 'string', default: 'screenshots' }, only: { type: 'string', default: '' } },
});

const languages = ['en', 'zh-CN'] as const;

const givenPassword = 'given by the office';

const passwords: Readonly<Record<string, string>> = {
  ...Object.fromEntries(demoLogins.map(({ username, password }) => [username, password])),
  admin: superAdminPassword,
  student: studentPassword,
  'new.teacher': givenPassword,
  'new.student': givenPassword,
};

/** The pages of each person, whose name begins the file's name. */
const pagesByPerson: Readonly<Record<string, readonly string[]>> = {
  nobody: pagesByRole.nobody,
  student: pagesByRole.student,
  'class.admin': pagesByRole.class,
  'grade.admin': pagesByRole.grade,
  'school.admin': pagesByRole.school,
  admin: pagesByRole.super,
  'new.teacher': ['/admin'],
  'new.student': ['/student'],
};

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
  const traces = await leaveTraces(browser);
  for (const look of looks) {
    for (const language of languages) {
      const folder = join(resolve(values.folder), `${look.screen}-${look.colorScheme}-${language}`);
      await mkdir(folder, { recursive: true });
      for (const [person, paths] of Object.entries(pagesByPerson)) {
        // The ids of terms and imports are unknown here.
        const wanted = paths.filter(
          (path) => `${person}${path}`.includes(values.only) && !/\{(term|import)\}/.test(path),
        );
        if (wanted.length > 0) await takeAll(browser, { folder, look, language, person, wanted, traces });
      }
    }
  }
} finally {
  await browser.close();
  await server.stop();
  receiver.close();
  await removeFolder(data);
}

interface Traces {
  /** The ids that addresses need. */
  readonly student: number;
  readonly webhook: number;
  readonly studentUsername: string;
}

interface Task {
  readonly folder: string;
  readonly look: (typeof looks)[number];
  readonly language: (typeof languages)[number];
  readonly person: string;
  readonly wanted: readonly string[];
  readonly traces: Traces;
}

async function takeAll(
  browser: Browser,
  { folder, look, language, person, wanted, traces }: Task,
): Promise<void> {
  const context = await browser.newContext({
    viewport: screens[look.screen],
    colorScheme: look.colorScheme,
    ...(look.screen === 'phone' && { hasTouch: true, isMobile: true, deviceScaleFactor: 2 }),
  });
  await context.addInitScript(`localStorage.setItem('classledger.language', '${language}');`);
  await signIn(context, person, traces);
  const page = await context.newPage();
  for (const path of wanted) {
    const address = path.replace(/\{(\w+)\}/, (_, name: 'student' | 'webhook') => String(traces[name]));
    await page.goto(origin + address, { waitUntil: 'networkidle' });
    // Charts are animated.
    await page.waitForTimeout(600);
    const name = `${path.slice(1).replace(/[{}]/g, '').replaceAll('/', '-') || 'public'}`;
    await page.screenshot({ path: join(folder, `${person}-${name}.png`) });
  }
  await context.close();
}

/** Creates calls, changes and webhooks for the logs. */
async function leaveTraces(browser: Browser): Promise<Traces> {
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
  const office = { username: 'school.admin', password: passwords['school.admin'], confirmations: true };
  const { schoolId: schoolDb } = await post(context, '/auth/login', office);
  const { id } = await post(context, '/grades', { schoolDb, name: 'Summer school' });
  await context.request.patch(`${origin}/api/grades/${id}`, {
    data: { schoolDb, name: '暑期班 Summer school' },
  });
  await context.request.delete(`${origin}/api/grades/${id}?schoolDb=${schoolDb}`);
  const users = await context.request.get(`${origin}/api/users?schoolDb=school_${schoolDb}&limit=1`);
  const [first] = (await users.json()).data;
  const { classId } = first;
  const login = { password: givenPassword };
  const teacher = { ...login, username: 'new.teacher', role: 'class_admin' };
  await post(context, '/admin/manage', { ...teacher, schoolId: schoolDb, classId });
  const student = { ...login, username: 'new.student', actualName: '林小雨' };
  await post(context, '/users', { ...student, schoolDb, classId });
  await context.close();
  return { student: first.id, webhook, studentUsername: first.username };
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

async function signIn(context: BrowserContext, person: string, { studentUsername }: Traces): Promise<void> {
  if (person === 'nobody') return;
  const login = { username: person === 'student' ? studentUsername : person, password: passwords[person] };
  if (person === 'student' || person === 'new.student') {
    const { token } = await post(context, '/auth/student/login', login);
    await context.addInitScript(`localStorage.setItem('classledger.student-token', '${token}');`);
  } else {
    await post(context, '/auth/login', { ...login, confirmations: true });
    await context.addInitScript(`localStorage.setItem('classledger.admin-signed-in', '1');`);
  }
}

async function post(context: BrowserContext, path: string, body: object) {
  return (await (await context.request.post(`${origin}/api${path}`, { data: body })).json()).data;
}
