import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ExternalOperation, externalOperations } from '@classledger/contract';
import { createClient } from '@hey-api/openapi-ts';
import { generate } from 'orval';
import { afterAll, describe, expect, it } from 'vitest';
import type { ZodType } from 'zod';
import { createSampleSchool, startTestApp } from '../../server/test/test-app.ts';

const usage = `
import { createUsers } from './hey-internal';
import { listStudents, writeScores } from './hey-external';
import type { ListStudentsErrors, ScoreCreatedMessage, ScoreRevokedMessage, Student } from './hey-external';

export async function use(baseUrl: string, auth: string) {
  const { data } = await listStudents({ baseUrl, auth, query: { limit: 100, classId: 1, order: 'desc' }, throwOnError: true });
  const students: Student[] = data.data.list;
  const ids: number[] = students.map(({ id }) => id);
  const items = ids.map((userId) => ({ userId, scoreChange: 2 }));
  const written = await writeScores({ baseUrl, auth, body: { items }, throwOnError: true });
  return { usernames: students.map(({ username }) => username), written: written.data.data.successCount };
}
export const isRange = ({ code }: ListStudentsErrors[403]) => code === 40302;
// @ts-expect-error A list of students is never answered 40901.
export const isConflict = ({ code }: ListStudentsErrors[403]) => code === 40901;
/** What a receiver of webhooks does. */
export const pointsOf = (message: ScoreCreatedMessage | ScoreRevokedMessage): number =>
  message.type === 'score.created' ? message.data.record.scoreChange : message.data.tombstone.userId;
// @ts-expect-error A revoked record is not shown.
export const revokedRecordPoints = ({ data }: ScoreRevokedMessage) => data.record.scoreChange;
// @ts-expect-error A score needs points.
export const scoreWithoutPoints = () => writeScores({ body: { userId: 1 } });
// @ts-expect-error A class is needed.
export const userWithoutClass = () => createUsers({ body: { username: 'li.wei' } });
`;

const compilerOptions = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};

type Schemas = Readonly<Record<string, ZodType>>;

const test = await startTestApp();
const admin = await test.signIn();
const school = await createSampleSchool(admin);
const office = await school.issue({});
await office.post('/templates', { name: 'Homework', scoreChange: 1 });
await office.post('/scores', { username: 's1a1', scoreChange: 1 });

const folders = new URL('../generated/', import.meta.url).pathname;
await mkdir(folders, { recursive: true });
const folder = await mkdtemp(folders);
afterAll(() => rm(folder, { recursive: true }));

/** Generates both clients. @returns the schemas that orval made */
async function generateClients(api: 'external' | 'internal', path: string): Promise<Schemas> {
  const document = (await test.app.http.inject(path)).json();
  const target = join(folder, `${api}.json`);
  await writeFile(target, JSON.stringify(document));
  await createClient({
    input: target,
    output: join(folder, `hey-${api}`),
    logs: { level: 'silent' },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk', '@hey-api/transformers'],
  });
  const output = join(folder, `orval-${api}.ts`);
  await generate({ input: { target }, output: { target: output, client: 'zod', mode: 'single' } });
  return import(/* @vite-ignore */ output);
}

const schemas = {
  external: await generateClients('external', '/api/v1/openapi.json'),
  internal: await generateClients('internal', '/api/openapi.json'),
};
await writeFile(join(folder, 'usage.ts'), usage);
await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));

function complaint(api: 'external' | 'internal', id: string, part: string, value: unknown): unknown {
  const name = id.charAt(0).toUpperCase() + id.slice(1) + part;
  const schema = schemas[api][name];
  if (!schema) throw new Error(`orval made no ${name}`);
  return schema.safeParse(value).error ?? null;
}

const reads = Object.values<ExternalOperation>(externalOperations).filter(
  ({ method, path }) => method === 'GET' && !path.includes(':'),
);

describe('Clients generated from the OpenAPI documents', () => {
  it('compile in strict mode and reject code that breaks the contract', async () => {
    const compiler = new URL('../../node_modules/typescript/bin/tsc', import.meta.url).pathname;
    const compiled = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    );
    expect(compiled.stdout).toBe('');
  });

  it('read students and write scores through the running API', async () => {
    const baseUrl = `${await test.listen()}/api/v1`;
    const { use } = (await import(/* @vite-ignore */ join(folder, 'usage.ts'))) as {
      use: (url: string, token: string) => Promise<{ usernames: string[]; written: number }>;
    };
    const { id } = school.grades[0].classes[0];
    const { data } = await office.get(`/students?classId=${id}`);
    expect((data as { total: number }).total).toBe(3);
    const { usernames, written } = await use(baseUrl, office.token);
    expect(written).toBe(usernames.length);
  });

  it.each(reads)('accept the answer to $id', async ({ id, path }) => {
    const answer = await office.get(path);
    expect(answer.status).toBe(200);
    expect(complaint('external', id, 'Response', answer)).toBeNull();
  });

  it("accept the server's answers to writes and reject the bodies that the server rejects", async () => {
    const { id: classId, students } = school.grades[0].classes[0];
    const [{ id: userId } = { id: 0 }] = students;
    const sent: readonly (readonly [id: string, path: string, body: object, code: number])[] = [
      ['createStudents', '/students', { username: '𠮷野', actualName: "O'Neill 陈静", classId }, 0],
      ['createStudents', '/students', { batch: [{ username: 'a' }, { username: 'a' }], classId }, 0],
      ['createStudents', '/students', { batch: [] }, 40003],
      ['writeScores', '/scores', { userId, scoreChange: -2 }, 0],
      ['writeScores', '/scores', { items: [{ username: 's1a2' }, { userId: 999_999 }], scoreChange: 1 }, 0],
      ['writeScores', '/scores', { scoreChange: 1 }, 40001],
      ['createTemplate', '/templates', { name: 'On time', scoreChange: 1 }, 0],
      ['createTemplate', '/templates', { name: 'Late', scoreChange: 10_001 }, 40002],
    ];
    for (const [id, path, body, code] of sent) {
      const answer = await office.post(path, body);
      expect([id, body, answer.code]).toEqual([id, body, code]);
      expect(complaint('external', id, 'Body', body) === null).toBe(code === 0);
      if (code === 0) expect(complaint('external', id, 'Response', answer)).toBeNull();
    }
    const log = await admin.post('/scores/add', { schoolDb: school.schoolDb, userId, scoreChange: 1 });
    expect(complaint('internal', 'addScore', 'Response', log)).toBeNull();
    const account = await admin.get(`/users/${userId}?schoolDb=${school.schoolDb}`);
    expect(complaint('internal', 'getUser', 'Response', account)).toBeNull();
  });
});
