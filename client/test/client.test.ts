import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitForCompleteFeed } from '../../server/test/eventually.ts';
import { freePort } from '../../server/test/server-process.ts';
import { openSchool, type SampleSchool, type TestApp } from '../../server/test/test-app.ts';
import { importScores } from '../src/command/scores-import.ts';
import { importStudents } from '../src/command/students.ts';
import { tailChanges } from '../src/command/tail-changes.ts';
import {
  AuthenticationError,
  BatchInterruptedError,
  Classledger,
  ConflictError,
  InvalidRequestError,
  MalformedAnswerError,
  NetworkError,
  NotFoundError,
  PermissionError,
  RateLimitedError,
  ServerError,
  TimeoutError,
  UnavailableError,
} from '../src/index.ts';
import { refusal, type ScriptedAnswer, scriptAnswers, timeoutMs } from './scripted-connection.ts';

let test: TestApp;
let school: SampleSchool;
let url: string;
let token: string;
let client: Classledger;

beforeAll(async () => {
  const opened = await openSchool();
  test = opened.test;
  school = opened.school;
  token = opened.office.token;
  url = await test.listen();
  client = new Classledger({ url: `${url}/api/v1/`, token });
});

function clientAnswering(...answers: ScriptedAnswer[]) {
  const script = scriptAnswers(...answers);
  const options = { fetch: script.fetch, clock: script.clock, timeoutMs };
  return { ...script, client: new Classledger({ url, token, ...options }) };
}

const studentOf = (grade: 0 | 1, index: number) =>
  school.grades[grade].classes[0].students[index]?.id as number;
const scoresOf = async (userId: number) => (await client.listScores({ userId })).total;
async function all<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const taken: T[] = [];
  for await (const entry of entries) taken.push(entry);
  return taken;
}

const caught = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('It succeeded'),
    (error: unknown) => error,
  );

it('the client calls every kind of operation by its name and returns the data', async () => {
  const { school: mine, token: about } = await client.ping();
  expect([mine.id, about.scopeType]).toEqual([school.id, 'school']);
  const grade = await client.createGrade({ name: 'Grade 9' });
  expect(await client.renameGrade(grade.id, { name: 'Grade 10' })).toMatchObject({ name: 'Grade 10' });
  const { id: classId } = await client.createClass({ gradeId: grade.id, name: 'Class C' });
  const { id, initialPassword } = await client.createStudents({ username: 'new.one', classId });
  expect(initialPassword).toMatch(/./);
  expect(await client.updateStudent(id, { actualName: 'New One' })).toMatchObject({
    actualName: 'New One',
  });
  const { details } = await client.writeScores({ userId: id, scoreChange: 2 });
  expect(await client.getStudent(id)).toMatchObject({
    totalScore: 2,
    recentScores: [{ id: details[0]?.logId }],
  });
  expect(await client.revokeScore(details[0]?.logId as number)).toMatchObject({ revokedScoreChange: 2 });
  expect(await client.deleteStudent(id, { confirm: true })).toMatchObject({ username: 'new.one' });
  const { topStudents } = await client.getOverview({ startDate: '2026-09-01' });
  expect(topStudents).toEqual([]);
});

it('the client throws a specific error class for each kind of refusal, with operation, code, status and request id', async () => {
  const missing = (await caught(client.getStudent(999_999))) as NotFoundError;
  expect(missing).toBeInstanceOf(NotFoundError);
  expect(missing).toMatchObject({
    name: 'NotFoundError',
    code: 40401,
    status: 404,
    operation: 'getStudent',
  });
  expect(missing.message).toContain(missing.requestId);
  expect(await caught(client.createGrade({ name: 'Grade 1' }))).toBeInstanceOf(ConflictError);
  expect(await caught(client.createGrade({ name: '' }))).toBeInstanceOf(InvalidRequestError);
  const { token: narrow } = await school.issue({ scopes: ['students:read'] });
  const reader = new Classledger({ url, token: narrow });
  const denied = (await caught(reader.listScores())) as PermissionError;
  expect(denied).toBeInstanceOf(PermissionError);
  expect(denied).toMatchObject({ code: 40302, acceptedPermission: 'scores:read' });
  const stranger = new Classledger({ url, token: 'cls_nobody' });
  expect(await caught(stranger.ping())).toBeInstanceOf(AuthenticationError);
  expect(() => new Classledger({ url, token: 'cls_secret\n' })).toThrow(
    /^The token is missing or malformed$/,
  );
});

it('the client reads a whole list, and writes a batch in parts that a rerun with the same key skips', async () => {
  const classId = school.grades[1].classes[1].id;
  const batch = Array.from({ length: 205 }, (_, n) => ({ username: `many${String(n).padStart(3, '0')}` }));
  const made = await client.createManyStudents({ batch, classId, defaultPassword: 'sesame-open' });
  expect([made.successCount, made.sharedPassword?.expiresAt]).toEqual([205, null]);
  const students = await all(client.allStudents({ classId, order: 'desc' }));
  expect(students.slice(0, 205).map(({ username }) => username)).toEqual(
    batch.map(({ username }) => username).reverse(),
  );

  const items = students.flatMap(({ id: userId }) => [{ userId }, { userId, scoreChange: 5 }]);
  items.splice(333, 0, { userId: 999_999 });
  const interrupted = clientAnswering('passes', 'answerIsLost', ...Array<ScriptedAnswer>(4).fill('hangs'));
  const run = { idempotencyKey: 'the evening of the 15th' };
  const stopped = await caught(interrupted.client.writeManyScores({ items, scoreChange: 1 }, run));
  expect(stopped).toBeInstanceOf(BatchInterruptedError);
  expect(stopped).toMatchObject({
    next: 200,
    results: { successCount: 200 },
    cause: expect.any(TimeoutError),
    ...run,
  });

  const parts: string[] = [];
  const onPart = ({ from, replayed }: { from: number; replayed: boolean }) =>
    void parts.push(`${from} ${replayed ? 'replayed' : 'written'}`);
  const whole = await client.writeManyScores({ items, scoreChange: 1 }, { ...run, onPart });
  expect(parts).toEqual(['0 replayed', '200 replayed', '400 written']);
  const { length: totalCount } = items;
  expect(whole).toMatchObject({ totalCount, successCount: totalCount - 1, failedCount: 1 });
  expect(whole.details.map(({ index }) => index)).toEqual([...items.keys()]);
  expect(whole.details.map(({ userId }) => userId)).toEqual(items.map(({ userId }) => userId));
  expect(whole.details[333]).toMatchObject({ success: false, code: 40401 });
  const records = await all(client.allScores({ classId }));
  expect(records.length).toBe(items.length - 1);
  await test.expectVerifiedLedger();
  expect(await client.upsertManyStudents({ batch: [], dryRun: true })).toEqual({
    ...{ successCount: 0, failedCount: 0, totalCount: 0, details: [] },
    ...{ createdCount: 0, updatedCount: 0, unchangedCount: 0, dryRun: true },
  });
});

it('the client retries with the same idempotency key where a repetition is safe, so the call takes effect once', async () => {
  const userId = studentOf(0, 0);
  const unavailable = refusal(50301, { 'retry-after': '7' });
  const busy = refusal(42901, { 'retry-after': '40' });
  const { client: unlucky, sent, waits } = clientAnswering('answerIsLost', unavailable, busy, 'hangs');
  const answer = await unlucky.call('writeScores', { body: { userId, scoreChange: 1 } });
  expect(answer).toMatchObject({ attempts: 5, replayed: true, originalRequestId: expect.any(String) });
  expect(new Set(sent.map(({ key }) => key))).toEqual(new Set([answer.idempotencyKey]));
  // Half a step, because this clock's random value is 0, plus the server's Retry-After.
  expect(waits).toEqual([250, 7_000 + 500, 40_000 + 1_000, 2_000]);
  expect(await scoresOf(userId)).toBe(1);

  // The guide says about 50001: repeat after a pause, writes with the same key.
  const failed = clientAnswering(refusal(50001), 'passes', refusal(50001));
  await failed.client.listStudents();
  await failed.client.writeScores({ userId: studentOf(0, 2), scoreChange: 1 });
  expect([failed.sent.length, failed.waits]).toEqual([4, [250, 250]]);
  expect(failed.sent[2]?.key).toBe(failed.sent[3]?.key);

  const keyInUse = refusal(40901, { 'retry-after': '1' });
  await clientAnswering(keyInUse, { status: 502 }).client.writeScores({ userId, scoreChange: 1 });
  await clientAnswering('answerIsLost').client.updateStudent(userId, { actualName: 'Twice the same' });
  expect(await scoresOf(userId)).toBe(2);
});

type Call = (client: Classledger) => Promise<unknown>;
const ping: Call = (one) => one.ping();
const create: Call = (one) => one.createGrade({ name: 'Once' });
const update: Call = (one) => one.updateStudent(studentOf(0, 0), { actualName: 'Once' });
const remove: Call = (one) => one.deleteGrade(999_999, { confirm: true });
const always = (answer: ScriptedAnswer) => Array<ScriptedAnswer>(9).fill(answer);
const failed = refusal(50001, { 'retry-after': '1' });
const elsewhere = { status: 308, headers: { location: 'https://elsewhere.example' } };

it.each<readonly [what: string, Call, error: unknown, attempts: number, ScriptedAnswer[]]>([
  // A repetition could act twice: the server detects a repeated write only by its key.
  ['a creation without an answer', create, NetworkError, 1, ['answerIsLost']],
  ['a deletion without an answer', remove, NetworkError, 1, ['answerIsLost']],
  ['a creation that is refused for now', create, UnavailableError, 1, [refusal(50301)]],
  ['a creation that fails', create, ServerError, 1, [failed]],
  ['a change that fails', update, ServerError, 1, [failed]],
  ['a deletion that fails', remove, ServerError, 1, [failed]],
  // It cannot succeed.
  ['a missing student', (one) => one.getStudent(999_999), NotFoundError, 1, []],
  ['an answer that is a page', ping, MalformedAnswerError, 1, [{ status: 200, body: '<html>' }]],
  ['a redirection', ping, MalformedAnswerError, 1, [elsewhere]],
  // The time is up.
  ['a limit for an hour', ping, RateLimitedError, 1, [refusal(42901, { 'retry-after': '3600' })]],
  ['a server that fails again and again', ping, ServerError, 5, always(refusal(50001))],
  ['a proxy that fails again and again', ping, MalformedAnswerError, 5, always({ status: 504 })],
])('the client gives up after %s', async (_, call, error, attempts, answers) => {
  const script = clientAnswering(...answers);
  expect(await caught(call(script.client))).toBeInstanceOf(error);
  expect(script.sent).toHaveLength(attempts);
});

it('the client retries even without a key if the call certainly failed to arrive', async () => {
  const { clock, waits } = scriptAnswers();
  const alone = new Classledger({ url: `http://127.0.0.1:${await freePort()}`, token, clock, timeoutMs });
  expect(await caught(create(alone))).toMatchObject({ neverSent: true });
  expect(waits).toHaveLength(4);
});

it('the client stops calls and waits with the reason of the abort signal', async () => {
  const signal = AbortSignal.abort(new Error('closing time'));
  expect(await caught(client.ping({}, { signal }))).toMatchObject({ message: 'closing time' });
  const ending = new AbortController();
  const script = clientAnswering(refusal(50301, { 'retry-after': '5' }));
  script.clock.sleep = async (milliseconds: number, own: AbortSignal | undefined) => {
    if (milliseconds !== timeoutMs) ending.abort(new Error('enough'));
    own?.throwIfAborted();
  };
  expect(await caught(script.client.ping({}, { signal: ending.signal }))).toMatchObject({
    message: 'enough',
  });
  const entries = client.allStudents({}, { signal: ending.signal });
  expect(await caught(entries.next())).toMatchObject({ message: 'enough' });
});

it('the client yields each change with its cursor, and resumes from any cursor', async () => {
  await waitForCompleteFeed(test);
  const { cursor: start } = await client.getChanges();
  const userId = studentOf(1, 0);
  for (const scoreChange of [1, 2, 3]) await client.writeScores({ userId, scoreChange });
  await client.updateStudent(userId, { actualName: 'Changed' });

  const read = (after: string) => all(client.changes({ after, types: ['score', 'student'] }));
  await waitForCompleteFeed(test);
  const changes = await read(start);
  expect(changes.map(({ change: { type, action } }) => `${type} ${action}`)).toEqual([
    ...Array(3).fill('score created'),
    'student updated',
  ]);
  expect(await read(changes.at(-1)?.cursor as string)).toEqual([]);

  const ending = new AbortController();
  const script = clientAnswering();
  const pages = script.client.changePages({ after: start, pollMs: 4_321, signal: ending.signal });
  expect((await pages.next()).value).toMatchObject({ changes: { length: 4 } });
  expect((await pages.next()).value).toMatchObject({ changes: [] });
  expect(script.waits).toEqual([4_321]);
  ending.abort(new Error('enough'));
  expect(await caught(pages.next())).toMatchObject({ message: 'enough' });
  const expired = clientAnswering(refusal(41001));
  expect(await caught(all(expired.client.changes({ after: start })))).toMatchObject({
    name: 'CursorTooOldError',
  });
});

describe('Commands of the client that read and write files', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'classledger-files-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const terminalOf = (one: Classledger, printed: string[] = []) => ({
    ...{ client: one, json: true, signal: new AbortController().signal, printNotice: () => {} },
    print: (text: string) => void printed.push(text),
  });

  it('tailChanges follows changes through any number of failures', async () => {
    const { cursor } = await client.getChanges();
    const cursorFile = join(folder, 'place');
    await writeFile(cursorFile, cursor);
    await client.writeScores({ userId: studentOf(0, 1), scoreChange: 1 });
    const ending = new AbortController();
    const away: ScriptedAnswer[] = [refusal(50301), 'answerIsLost', { status: 502 }];
    const { client: one } = clientAnswering(...away, ...away, ...away, ...away);
    const print = () => ending.abort(new Error('seen'));
    const following = { cursorFile, types: undefined, follow: true, intervalSeconds: 0 };
    const terminal = { ...terminalOf(one), print, signal: ending.signal };
    expect(await caught(tailChanges(terminal, following))).toMatchObject({ message: 'seen' });
    const gone = terminalOf(clientAnswering(refusal(41001)).client);
    expect(await caught(tailChanges(gone, following))).toMatchObject({ name: 'CursorTooOldError' });
  });

  it.each(['', ' \n', 'half\u0000', 'bm8gY3Vyc29y'])(
    'tailChanges rejects the cursor file content %j and keeps the file',
    async (text) => {
      const cursorFile = join(folder, 'damaged-place');
      await writeFile(cursorFile, text);
      const printed: string[] = [];
      const tail = { cursorFile, types: undefined, follow: true, intervalSeconds: 0 };
      expect(await caught(tailChanges(terminalOf(client, printed), tail))).toMatchObject({
        name: 'UsageError',
        message: expect.stringContaining(`${cursorFile} is empty or damaged`),
      });
      expect([printed, await readFile(cursorFile, 'utf8')]).toEqual([[], text]);
    },
  );

  it('the client rejects an empty cursor and does not start at the newest change', async () => {
    const script = clientAnswering();
    expect(await caught(all(script.client.changes({ after: '' })))).toBeInstanceOf(TypeError);
    expect(await caught(all(script.client.changePages({ after: ' ' })))).toBeInstanceOf(TypeError);
    expect(script.sent).toEqual([]);
  });

  it.each(['garbage', '{"school":1}', '42', 'null'])(
    'importScores rejects a journal with the line %s and names that line',
    async (damage) => {
      const file = join(folder, 'damaged.csv');
      const journal = `${file}.given.jsonl`;
      await writeFile(file, `username,points\ns1a1,1\n`);
      const line = { at: '2026-09-15T10:00:00.000Z', school: school.id, key: 'k', rows: ['r'], done: [true] };
      await writeFile(journal, `${JSON.stringify(line)}\n${damage}\n`);
      const script = clientAnswering();
      const options = { file, journal, points: undefined, reason: undefined, run: '' };
      expect(await caught(importScores(terminalOf(script.client), options))).toMatchObject({
        name: 'UsageError',
        message: expect.stringMatching(
          /^Line 2 of the journal \S+damaged\.csv\.given\.jsonl is damaged, so nothing was sent/,
        ),
      });
      expect(script.sent.every(({ method }) => method === 'GET')).toBe(true);
    },
  );

  it.each([
    ['username,points,reason\ns1a1,1,"On time\ns1a2,1,\n', 2],
    ['username,points,reason\r\ns1a1,1,"two\r\nlines"\r\ns1a2,1,"open', 4],
  ])('importScores names the line of an unclosed quote: %j', async (text, number) => {
    const file = join(folder, 'open-quote.csv');
    await writeFile(file, text);
    const script = clientAnswering();
    const options = { file, journal: `${file}.jsonl`, points: undefined, reason: undefined, run: '' };
    expect(await caught(importScores(terminalOf(script.client), options))).toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(`Line ${number} of ${file} opens a quote that is never closed`),
    });
    expect(script.sent).toEqual([]);
  });

  it('importStudents recovers generated passwords after a lost answer, and updates those students to the file’s current content', async () => {
    const file = join(folder, 'new.csv');
    const passwords = join(folder, 'passwords.csv');
    await writeFile(file, `username,name,classId\nlost.one,One,${school.grades[0].classes[0].id}\n`);
    const notices: string[] = [];
    const run = async (...answers: ScriptedAnswer[]) => {
      const printed: string[] = [];
      const terminal = {
        ...terminalOf(clientAnswering(...answers).client, printed),
        printNotice: (text: string) => void notices.push(text),
      };
      await importStudents(terminal, { file, classId: undefined, dryRun: false, passwords });
      return JSON.parse(printed[0] as string);
    };
    const lost: ScriptedAnswer[] = ['answerIsLost', ...Array<ScriptedAnswer>(4).fill(refusal(50301))];
    expect(await caught(run(...lost))).toBeInstanceOf(BatchInterruptedError);
    expect(notices.join()).toMatch(/password that nobody has seen: lost\.one\. Import/);
    await run();
    const first = await readFile(passwords, 'utf8');
    const [, password = ''] = /^"lost\.one",(\S+)\n$/.exec(first) ?? [];
    await test.signInStudent(school.schoolDb, 'lost.one', password);

    const { list } = await client.listStudents({ username: 'lost.one' });
    await client.updateStudent(list[0]?.id as number, { actualName: 'Changed since' });
    expect(await run()).toMatchObject({ created: 0, updated: 1, refused: [] });
    expect(await readFile(passwords, 'utf8')).toBe(first);
  });

  it('importScores gives points once when a refusal follows an attempt with unknown outcome', async () => {
    const { id, username } = school.grades[1].classes[0].students[1] as { id: number; username: string };
    const give = async (file: string, rows: string, ...answers: ScriptedAnswer[]) => {
      const path = join(folder, file);
      await writeFile(path, `username,points\n${rows}\n`);
      const printed: string[] = [];
      const options = { file: path, points: undefined, reason: undefined, journal: `${path}.given`, run: '' };
      await importScores(terminalOf(clientAnswering('passes', ...answers).client, printed), options);
      return JSON.parse(printed[0] as string);
    };
    const before = await scoresOf(id);
    const row = `${username},1`;
    const busy = Array<ScriptedAnswer>(4).fill(refusal(42901));
    expect(await caught(give('busy.csv', row, 'answerIsLost', ...busy))).toBeInstanceOf(RateLimitedError);
    expect(await give('busy.csv', row)).toMatchObject({ given: 0, givenBefore: 1 });

    const lost: ScriptedAnswer[] = ['answerIsLost', ...Array<ScriptedAnswer>(4).fill(refusal(50301))];
    const other = `${username},2`;
    expect(await caught(give('open.csv', other, ...lost))).toMatchObject({ status: 503, attempts: 5 });
    expect(await caught(give('open.csv', other, refusal(40302)))).toBeInstanceOf(PermissionError);
    expect(await caught(give('open.csv', other, refusal(40001)))).toBeInstanceOf(InvalidRequestError);
    expect(await give('open.csv', other)).toMatchObject({ given: 0, givenBefore: 1 });
    expect(await scoresOf(id)).toBe(before + 2);

    // The server refused the call and did nothing, so the file can be corrected.
    expect(await caught(give('mended.csv', `${username},3`, refusal(40001)))).toMatchObject({ attempts: 1 });
    expect(await give('mended.csv', `${username},4`)).toMatchObject({ given: 1, givenBefore: 0 });
  });
});
