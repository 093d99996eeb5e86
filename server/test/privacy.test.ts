import { type ExternalOperation, externalOperations, internalOperations } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { AccessWorld } from './internal-access-world.ts';

/** Answers hold only data that the caller needs; `internal-access.test.ts` covers each internal operation. */

const world = await AccessWorld.open();

describe('answers of the internal API', () => {
  it('show a credential and an initial password once only', async () => {
    const { home, staff, test } = world;
    const token = (await staff.school.issue(home.schoolDb, { name: 'shown once' })).token;
    const body = {
      schoolDb: home.schoolDb,
      classId: home.classId,
      username: 'shown once',
      generatePassword: true,
    };
    const created = await staff.school.post('/users', body);
    const { id, initialPassword } = created.data as { id: number; initialPassword: string };
    expect(initialPassword.length).toBeGreaterThanOrEqual(6);
    await test.signInStudent(home.schoolDb, 'shown once', initialPassword);
    for (const path of ['/api-tokens', '/api-tokens/logs', '/users', `/users/${id}`, '/admin/activity']) {
      const text = JSON.stringify(await staff.school.get(`${path}?schoolDb=${home.schoolDb}`));
      expect([path, text.includes(token), text.includes(initialPassword)]).toEqual([path, false, false]);
    }
  });

  it('show a super administrator that a student has an email address, but not the address', async () => {
    const { home, staff } = world;
    const path = `/users/${home.student.id}?schoolDb=${home.schoolDb}`;
    expect((await staff.super.get(path)).data).toMatchObject({ email: null, emailBound: true });
    expect((await staff.class.get(path)).data).toMatchObject({ email: world.emails.get(home.student.id) });
  });
});

describe('the schemas of answers', () => {
  const operations = [...Object.values(internalOperations), ...Object.values(externalOperations)];

  it.each(operations.map(({ id, data }) => [id, data] as const))('declare every field: %s', (_id, data) => {
    expect(openParts(data)).toEqual([]);
  });

  /** Returns parts of a schema without a type, and objects with undeclared fields. */
  function openParts(schema: unknown, path = 'data'): string[] {
    const part = schema as {
      type?: string | string[];
      enum?: unknown[];
      anyOf?: unknown[];
      properties?: Record<string, unknown>;
      items?: unknown;
      additionalProperties?: unknown;
      patternProperties?: unknown;
    };
    if (part.anyOf) return part.anyOf.flatMap((each) => openParts(each, path));
    const types = [part.type ?? []].flat();
    if (types.length === 0 && !part.enum) return [path];
    if (types.includes('array')) {
      return part.items === undefined ? [path] : openParts(part.items, `${path}[]`);
    }
    if (!types.includes('object')) return [];
    const isOpen =
      part.properties === undefined ||
      part.patternProperties !== undefined ||
      (part.additionalProperties ?? false) !== false;
    const below = Object.entries(part.properties ?? {});
    return [
      ...(isOpen ? [path] : []),
      ...below.flatMap(([name, field]) => openParts(field, `${path}.${name}`)),
    ];
  }
});

describe('the external API', () => {
  it('declares no email address in any answer', () => {
    for (const { id, data } of Object.values(externalOperations) as ExternalOperation[]) {
      const fields = [...JSON.stringify(data).matchAll(/"(\w*e_?mail\w*)":\{/gi)].map(([, name]) => name);
      expect([id, fields.filter((name) => name !== 'emailBound' && name !== 'emailBoundAt')]).toEqual([
        id,
        [],
      ]);
    }
  });

  it('shows no email address to a school credential with every permission', async () => {
    const { home, credential } = world;
    const { student, classId, gradeId } = home;
    const made = await credential.post('/students', { username: 'by the api', classId });
    const { id } = made.data as { id: number };
    const answers = [
      made,
      await credential.get('/ping'),
      await credential.get('/students?limit=100'),
      await credential.get(`/students/${student.id}`),
      await credential.patch(`/students/${student.id}`, { actualName: 'Somebody else' }),
      await credential.post('/scores', { userId: student.id, scoreChange: 1 }),
      await credential.post('/scores', { scoreChange: 1, items: [{ userId: student.id }] }),
      await credential.get('/scores?limit=100'),
      await credential.get(`/grades`),
      await credential.patch(`/grades/${gradeId}`, { name: 'Renamed' }),
      await credential.get('/classes'),
      await credential.get('/templates'),
      await credential.get('/stats/overview'),
      await credential.get('/students?keyword=home.example'),
      await credential.delete(`/students/${id}?confirm=true`),
    ];
    for (const { code } of answers) expect(code).toBe(0);
    const texts = answers.map((answer) => JSON.stringify(answer));
    expect(texts.filter((text) => text.includes('home.example'))).toEqual([]);
    expect(answers[3]?.data).toMatchObject({ emailBound: true });
    expect(answers[13]?.data).toMatchObject({ total: 0 });
    const search = `/users?schoolDb=${home.schoolDb}&search=home.example`;
    expect((await world.staff.school.get(search)).data).toEqual([]);
  });
});
