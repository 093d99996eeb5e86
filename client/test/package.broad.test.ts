import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/client/stdio';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { waitForCompleteFeed } from '../../server/test/eventually.ts';
import { Program } from '../../server/test/program.ts';
import { openSchool, type SampleSchool, type TestApp } from '../../server/test/test-app.ts';
import manifest from '../package.json' with { type: 'json' };
import { Classledger, type Student } from '../src/index.ts';

type Environment = Readonly<Record<string, string>>;

/** Prefers the machine's own Node.js, because the package must run on older versions than ours. */
const [node = process.execPath] = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((place) => !place.includes('node_modules'))
  .map((place) => join(place, 'node'))
  .filter((path) => existsSync(path));

const folder = await mkdtemp(join(tmpdir(), 'classledger-client-'));
const installed = join(folder, 'node_modules/@classledger/client');
const command = join(installed, 'dist/command.js');
let test: TestApp;
let school: SampleSchool;
let url: string;
/** Where an installation offers the package. */
let address: string;
let env: Environment;

beforeAll(async () => {
  const opened = await openSchool();
  test = opened.test;
  school = opened.school;
  url = await test.listen();
  address = `${url}/docs/classledger-client.tgz`;
  env = { CLASSLEDGER_URL: url, CLASSLEDGER_TOKEN: opened.office.token };
  // The guide's own command installs the package in `documents.broad.test.ts`.
  await mkdir(installed, { recursive: true });
  const tarball = Buffer.from(await (await fetch(address)).arrayBuffer());
  execFileSync('tar', ['-xz', '--strip-components=1', '-C', installed], { input: tarball });
  await write('package.json', '{ "type": "module" }');
  await cp(fileURLToPath(new URL('../../examples', import.meta.url)), file('examples'), { recursive: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const start = (args: readonly string[], settings: Environment, program = node) =>
  new Program([program, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...settings },
    stdio: 'pipe',
  });

async function waitForExit(program: Program) {
  const { code } = await program.ended;
  const { stdout, stderr } = program;
  return { code, stdout, stderr };
}

const run = (settings: Environment, ...args: string[]) => waitForExit(start([command, ...args], settings));
const file = (name: string) => join(folder, name);
const write = (name: string, text: string) => writeFile(file(name), text);
const totalsOf = async (grade: 0 | 1) => {
  const reader = await school.issue({ scopes: ['students:read'] });
  const { data } = await reader.get(`/students?gradeId=${school.grades[grade].id}`);
  return (data as { list: { totalScore: number }[] }).list.map(({ totalScore }) => totalScore);
};

it('the package has no dependencies, and compiles in strict mode for browsers and Node.js', async () => {
  const packed = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  expect(packed.dependencies ?? {}).toEqual({});
  await write(
    'use.ts',
    `import { Classledger, type MirrorStore, type ScoreEntry, type Student, NotFoundError, RateLimitedError, verifyWebhook } from '@classledger/client';
    const client = new Classledger({ url: 'https://points.example', token: 'cls_' });
    export async function use(id: number): Promise<readonly (string | number)[]> {
      const students: Student[] = [];
      for await (const student of client.allStudents({ classId: 1, order: 'desc' })) students.push(student);
      const { username } = await client.createStudents({ username: 'li.wei' });
      const { successCount } = await client.createStudents({ batch: [{ username: 'li.wei' }] });
      // @ts-expect-error A deletion is confirmed.
      await client.deleteStudent(id, {});
      // @ts-expect-error No such filter.
      await client.listStudents({ userID: id });
      // @ts-expect-error A score needs points.
      await client.writeScores({ userId: id });
      // @ts-expect-error A score needs a student.
      await client.writeScores({ scoreChange: 1 });
      // @ts-expect-error Each entry needs a student.
      await client.writeManyScores({ scoreChange: 1, items: [{}] });
      // @ts-expect-error An upsert finds a student by one of two names.
      await client.upsertStudents({ batch: [{ actualName: 'Li Wei' }] });
      const entries: ScoreEntry[] = [{ username: 'li.wei' }, { userId: id }, { externalId: 'E1', cardNumber: '7' }];
      await client.writeScores({ scoreChange: 1, items: entries });
      await client.writeScores({ cardNumber: '7', scoreChange: 1 });
      const store: MirrorStore = {
        load: () => null,
        async apply({ changes }) {
          for (const change of changes) if (change.type === 'student') console.log(change.record?.username);
          // @ts-expect-error Totals are not a student's own.
          for (const change of changes) if (change.type === 'student') console.log(change.record?.totalScore);
        },
      };
      await client.mirror(store, { types: ['student', 'class'] });
      const { type, data } = await verifyWebhook('{}', new Headers(), 'whsec_');
      if (type !== 'webhook.test' && data.type === 'score') console.log(data.record?.scoreChange);
      return [username, successCount];
    }
    export function told(error: unknown): 40401 | number {
      if (error instanceof NotFoundError) return error.code satisfies 40401;
      return error instanceof RateLimitedError ? error.retryAfterSeconds : 0;
    }`,
  );
  const tsc = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')));
  const flags = '--noEmit --strict --exactOptionalPropertyTypes --ignoreConfig --types';
  const modules = '--target es2022 --lib es2022,dom,dom.iterable --module nodenext';
  const args = [tsc, ...flags.split(' '), '', ...modules.split(' '), 'use.ts'];
  const compiled = await waitForExit(start(args, {}, process.execPath));
  expect(compiled).toEqual({ code: 0, stdout: '', stderr: '' });
});

it('on the installed Node.js, the package can be imported by ES modules and required by CommonJS, and verifies webhooks', async () => {
  const body = '{"type":"webhook.test","timestamp":"2026-09-15T10:00:00.000Z"}';
  const program = `
    const { school } = await new Classledger({ url: process.env.CLASSLEDGER_URL, token: process.env.CLASSLEDGER_TOKEN }).ping();
    const { body, headers, secret } = JSON.parse(process.env.DELIVERY);
    console.log(school.name, (await verifyWebhook(body, headers, secret)).type);
    await verifyWebhook(body + ' ', headers, secret).catch(({ reason }) => console.log(reason));`;
  const names = '{ Classledger, verifyWebhook }';
  await write('use.mjs', `import ${names} from '@classledger/client';${program}`);
  await write('use.cjs', `const ${names} = require('@classledger/client'); (async () => {${program}})();`);
  for (const name of ['use.mjs', 'use.cjs']) {
    const over = start([name], { ...env, DELIVERY: JSON.stringify(signed(body)) });
    expect(await waitForExit(over), name).toEqual({
      code: 0,
      stdout: `${school.name} webhook.test\nwrongSignature\n`,
      // Node.js 20 warns about every required ES module.
      stderr: name === 'use.cjs' ? expect.any(String) : '',
    });
  }
});

function signed(body: string) {
  const secret = `whsec_${Buffer.from('a secret of 24 bytes ...').toString('base64')}`;
  const at = new Date();
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  };
  return { body, secret, headers };
}

describe('Command line', () => {
  it('prints the caller with ping, and reports each kind of failure by its exit code', async () => {
    const hello = await run(env, 'ping', '--json');
    expect(JSON.parse(hello.stdout)).toMatchObject({ ok: true, school: { name: school.name } });
    const endings = await Promise.all([
      run({ CLASSLEDGER_URL: url }, 'ping'),
      run(env, 'ping', '--token', 'cls_x'),
      run({ ...env, CLASSLEDGER_TOKEN: 'cls_x' }, 'ping'),
      run(env, 'scores', 'import', 'nowhere.csv'),
      run({}, '--version'),
    ]);
    expect(endings.map(({ code }) => code)).toEqual([2, 2, 4, 2, 0]);
    expect(endings[4]?.stdout).toBe(`classledger-client ${manifest.version}\n`);
    expect(endings[2]?.stderr).toMatch(/^40102 .*\n.*shown when it was issued/);
  });

  it('gives the points of a file once, even when killed, rerun, extended or corrected', async () => {
    const usernames = school.grades[0].classes.flatMap(({ students }) =>
      students.map(({ username }) => username),
    );
    const rows = usernames.flatMap((username) => Array<string>(100).fill(`${username},1,On time`));
    const points = (...more: string[]) => ['username,points,reason', ...rows, ...more, ''];
    await write('points.csv', points('nobody,1,').join('\r\n'));
    const give = (...more: string[]) => run(env, 'scores', 'import', 'points.csv', '--json', ...more);

    const killed = start([command, 'scores', 'import', 'points.csv'], env);
    killed.child.stderr?.once('data', () => killed.kill());
    await killed.ended;
    const first = await give();
    expect(first.code).toBe(3);
    expect(JSON.parse(first.stdout).refused).toMatchObject([{ line: 602, code: 40401 }]);
    expect(await totalsOf(0)).toEqual(Array(6).fill(100));
    const [again, elsewhere] = await Promise.all([give(), give('--journal', file('another.jsonl'))]);
    expect(JSON.parse(again.stdout)).toMatchObject({ given: 0, givenBefore: 600 });
    expect(JSON.parse(elsewhere.stdout)).toMatchObject({ given: 0, givenBefore: 600 });
    await write('points.csv', points('s2a1,1,', `${usernames[0]},1,On time`).join('\n'));
    expect(JSON.parse((await give()).stdout)).toMatchObject({ given: 2, givenBefore: 600, refused: [] });
    expect(await totalsOf(0)).toEqual([101, ...Array(5).fill(100)]);
    expect((await totalsOf(1))[0]).toBe(1);
    await test.expectVerifiedLedger();
  });

  it('upserts students from a table, previews that in a dry run, and tails the changes', async () => {
    const json = async (...args: string[]) => {
      const { stdout, code } = await run(env, ...args, '--json');
      const lines = stdout.trim().split('\n').filter(Boolean);
      return { code, output: lines.map((line) => JSON.parse(line)) };
    };
    const tail = () => json('changes', 'tail', '--cursor', 'place', '--types', 'student');
    expect((await tail()).output).toEqual([]);
    const [grade] = school.grades;
    const rows = [
      'External ID;username;Name;Grade;Class',
      'E1;e.one;"One; Else";Grade 1;Class A',
      'E2;e.two;=2+2;Grade 1;Class B',
      'E3;e three;Three;Grade 1;Class B',
      ';s1a1;Renamed;;',
      `;s1a2;${'x'.repeat(101)};;`,
    ];
    await write('roster.csv', `${rows.join('\n')}\n`);
    const roster = ['students', 'import', 'roster.csv'];
    expect(await json(...roster, '--dry-run')).toMatchObject({
      code: 3,
      output: [{ dryRun: true, created: 3, updated: 1 }],
    });
    // The import finds nothing created by the dry run.
    expect((await json(...roster)).output[0]).toMatchObject({
      created: 3,
      updated: 1,
      refused: [{ line: 6, code: 40002 }],
    });
    expect((await readFile(file('roster.csv.passwords.csv'), 'utf8')).split('\n')).toHaveLength(4);
    await json('students', 'export', 'all.xlsx', '--grade', String(grade.id));
    expect((await json('students', 'import', 'all.xlsx')).output[0]).toMatchObject({
      unchanged: 9,
      created: 0,
      updated: 0,
    });
    await waitForCompleteFeed(test);
    const seen: { action: string; record: { actualName: string } }[] = (await tail()).output;
    expect(seen.map(({ action, record }) => `${action} ${record.actualName}`).sort()).toEqual([
      'created =2+2',
      'created One; Else',
      'created Three',
      'updated Renamed',
    ]);
  });
});

describe('MCP server with the official client', () => {
  async function connect(program: StdioServerParameters, mode: 'auto' | 'legacy'): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    onTestFinished(() => client.close());
    await client.connect(new StdioClientTransport(program));
    return client;
  }

  it('starts by npx from the address of the installation, as the documents configure it', async () => {
    const program = {
      command: 'npx',
      // npm 12 requires the flag to install from a URL; older versions ignore it.
      args: ['-y', '--allow-remote=root', address, 'mcp', '--read-only'],
      env: { ...env, PATH: process.env.PATH ?? '', npm_config_cache: file('.npx') },
    };
    const { tools } = await (await connect(program, 'auto')).listTools();
    expect(tools.map(({ name }) => name)).toContain('listStudents');
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  });

  it.each(['auto', 'legacy'] as const)(
    'offers only tools the credential permits, with hints, and asks before a deletion (%s)',
    async (mode) => {
      const { token } = await school.issue({
        scopes: ['students:read', 'scores:write', 'scores:revoke', 'students:delete'],
      });
      const program = {
        command: process.execPath,
        args: [command, 'mcp'],
        env: { ...env, CLASSLEDGER_TOKEN: token },
      };
      const client = await connect(program, mode);
      const { tools } = await client.listTools();
      const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
      const names = Object.keys(hints);
      expect(names).toEqual(expect.arrayContaining(['ping', 'listStudents', 'writeScores', 'deleteStudent']));
      expect(names).not.toContain('createGrade');
      // Only webhook tools that cannot send data out.
      const ofWebhooks = names.filter((name) => name.includes('Webhook'));
      expect(ofWebhooks.sort()).toEqual(['deleteWebhook', 'getWebhook', 'listWebhooks']);
      expect(hints.listStudents).toMatchObject({ readOnlyHint: true, destructiveHint: false });
      expect(hints.revokeScore).toMatchObject({ readOnlyHint: false, destructiveHint: true });

      const call = async (name: string, args: Record<string, unknown>) => {
        const { content, isError } = await client.callTool({ name, arguments: args });
        return { isError, text: (content as { text: string }[])[0]?.text ?? '' };
      };
      const { list } = JSON.parse((await call('listStudents', { limit: 1 })).text);
      const items = [{ userId: list[0].id, scoreChange: 2 }];
      const points = { body: { items }, idempotencyKey: `tidy-${mode}` };
      const given = JSON.parse((await call('writeScores', points)).text);
      expect((await call('writeScores', points)).text).toMatch(/^Nothing was done now/);
      const { logId } = given.details[0];
      expect(await call('revokeScore', { logId })).toMatchObject({
        isError: true,
        text: expect.stringMatching(/confirm/),
      });
      const revoked = await call('revokeScore', { logId, confirm: true });
      expect(JSON.parse(revoked.text)).toMatchObject({ logId });
      expect(await call('deleteStudent', { id: 999_999, confirm: true })).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^40401/),
      });
    },
  );
});

describe('Examples killed midway and rerun', () => {
  let client: Classledger;
  beforeAll(() => {
    client = new Classledger({ url, token: env.CLASSLEDGER_TOKEN as string });
  });
  const begin = (...args: string[]) => start(args, env, process.execPath);
  const finish = (...args: string[]) => waitForExit(begin(...args));
  const killedAt = async (program: Program, said: RegExp) => {
    program.child.stdout?.on('data', () => {
      if (said.test(program.stdout)) void program.kill();
    });
    await program.ended;
    expect(program.stdout).toMatch(said);
  };

  it('card gives exactly one point for every swipe that beeped', async () => {
    const { students } = school.grades[1].classes[0];
    for (const [i, { id }] of students.entries()) await client.updateStudent(id, { cardNumber: `card-${i}` });
    const [before = 0, ...others] = await totalsOf(1);
    const swipes = Array.from({ length: 90 }, (_, n) => `card-${n % 3},2026-09-15T11:${10 + (n % 50)}:00Z\n`);
    // The swipes are two hours old, after the start of the term.
    test.clock.advance(3 * 3600 * 1000);
    const first = begin('examples/card.ts', 'gate');
    first.child.stdin?.write(swipes.slice(0, 60).join(''));
    await killedAt(first, /(beep card-\d\n(sent \d+\n)?){40}/);
    const stored = (await readFile(file('gate/swipes.jsonl'), 'utf8')).split('\n').length - 1;
    const second = begin('examples/card.ts', 'gate');
    // This swipe's clock runs a day ahead.
    const ahead = 'card-0,2026-09-16T11:30:00Z\n';
    second.child.stdin?.end([...swipes.slice(stored), ahead, 'of-nobody,2026-09-15T11:30:00Z\n'].join(''));
    expect(await waitForExit(second)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Refused: of-nobody/),
    });
    expect(await totalsOf(1)).toEqual([before + 31, 30, 30, ...others.slice(2)]);
    await test.expectVerifiedLedger();
  });

  it('sync makes the school match the roster, and the mirror match the school', async () => {
    const row = (n: number, name = `Name ${n}`) =>
      `R${n},roster${n},${name},Grade ${1 + (n % 3)},Class ${'ABC'[n % 3]}`;
    const roster = (...rows: string[]) =>
      write('nightly.csv', ['externalId,username,name,grade,class', ...rows, ''].join('\n'));
    const rows = Array.from({ length: 250 }, (_, n) => row(n));
    await roster(...rows);
    const sync = ['examples/sync.ts', 'nightly.csv', 'mirror.json'] as const;
    // Some students have external ids that the roster lacks, so the sync disables them.
    const { id: classId } = school.grades[0].classes[0];
    await client.upsertManyStudents({ batch: [{ externalId: 'X1', username: 'x.one', classId }] });
    expect(await finish(...sync)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/(1 of 1|4 of 4) students would be/),
    });
    await killedAt(begin(...sync, '--disable-many'), /sent 200/);
    await waitForCompleteFeed(test);
    expect(await finish(...sync)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/created (50|0), changed [0-4],/),
    });
    await waitForCompleteFeed(test);
    for (const [cutOff, why] of [
      [[], 'no students'],
      [rows.slice(0, 200), '50 of 250 students'],
      [[...rows, 'R900,roster900,Name 900,Grade 1'], 'Line 252 of nightly.csv has no class'],
    ] as const) {
      await roster(...cutOff);
      expect(await finish(...sync)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(why),
      });
    }
    await roster(...rows.slice(1, -1), row(249, 'Changed'));
    expect(await finish(...sync)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/created 0, changed 2,/),
    });
    const listed: Record<number, Student> = {};
    for await (const student of client.allStudents()) listed[student.id] = student;
    const enabled = Object.values(listed).filter(
      ({ externalId, disabled }) => externalId?.startsWith('R') && !disabled,
    );
    expect(enabled).toHaveLength(249);
    expect(enabled.filter(({ actualName }) => actualName === 'Changed')).toHaveLength(1);
    await waitForCompleteFeed(test);
    expect(await finish(...sync)).toMatchObject({ code: 0 });
    expect(JSON.parse(await readFile(file('mirror.json'), 'utf8')).students).toEqual(listed);
  });

  it('seating seats every student, and a rerun gives the same plan', async () => {
    const { id, students } = school.grades[1].classes[0];
    await killedAt(begin('examples/seating.ts', String(id), '2'), /^read/);
    const plans = [
      await finish('examples/seating.ts', String(id), '2'),
      await finish('examples/seating.ts', String(id), '2'),
    ];
    expect(plans[0]).toMatchObject({ code: 0, stdout: expect.stringMatching(/\n1: .+ \| .+\n2: .+/) });
    expect(plans[1]).toEqual(plans[0]);
    const { seats } = await client.getSeats(id);
    const sitting = seats.flatMap(({ userId }) => (userId === null ? [] : [userId]));
    expect(new Set(sitting)).toEqual(new Set([...sitting, ...students.map((student) => student.id)]));
  });
});
