import { describe, expect, it } from 'vitest';
import { createStaff } from '../../../test/administrators.ts';
import type { CredentialClient, ExternalAnswer } from '../../../test/identities.ts';
import { createSampleSchool, startTestApp } from '../../../test/test-app.ts';

const test = await startTestApp();
const admin = await test.signIn();
const school = await createSampleSchool(admin, 'Own school');
const { ofGrade } = await createStaff(test, school);
const [grade, otherGrade] = school.grades;
const [klass, neighbour] = grade.classes;
const office = await school.issue({});
const inClass = { scopeType: 'class', scopeClassId: klass.id } as const;
const missing = 999_999_999;

async function explainLastCall(credential: CredentialClient, as = admin) {
  const { data } = await as.get(`/api-tokens/logs?tokenId=${credential.id}`);
  const [{ id, createdAt }] = (data as { list: [{ id: number; createdAt: string }] }).list;
  return (await as.get(`/api-tokens/logs/explanation?id=${id}&createdAt=${createdAt}`)).data;
}
const change = (credential: CredentialClient, to: object) => admin.patch(`/api-tokens/${credential.id}`, to);

describe('Explanation of a refused call', () => {
  it('names the cause, and tells whether it still applies', async () => {
    const app = await school.issue({ ...inClass, scopes: ['students:read', 'structure:write'] });
    const outside = neighbour.students[0]?.id;
    const calls: readonly [cause: string, call: () => Promise<ExternalAnswer>, more?: object][] = [
      ['none', () => app.get('/students')],
      ['permission', () => app.get('/scores'), { permission: 'scores:read', operation: 'listScores' }],
      ['scopeType', () => app.post('/grades', { name: 'x' }), { scopeTypes: ['school'] }],
      ['outOfRange', () => app.patch(`/classes/${neighbour.id}`, { name: 'x' }), { where: 'outside' }],
      [
        'notFound',
        () => app.get(`/students/${outside}`),
        { target: 'student', targetId: outside, where: 'outside' },
      ],
      ['notFound', () => app.get(`/students/${missing}`), { where: 'unknown' }],
      ['unknownPath', () => app.get('/pupils'), { operation: null }],
      ['badRequest', () => app.get('/students?page=0')],
    ];
    for (const [cause, call, more = {}] of calls) {
      await call();
      const found = await explainLastCall(app);
      expect([cause, found]).toMatchObject([cause, { cause, status: 'enabled', resolved: false, ...more }]);
    }
  });

  it('tells when the cause no longer applies', async () => {
    const app = await school.issue({ ...inClass, scopes: ['students:read'] });
    await app.get('/scores');
    await change(app, { scopes: ['students:read', 'scores:read'] });
    expect(await explainLastCall(app)).toMatchObject({ cause: 'permission', resolved: true });

    const mover = neighbour.students[1]?.id;
    await app.get(`/students/${mover}`);
    await office.patch(`/students/${mover}`, { classId: klass.id });
    expect(await explainLastCall(app)).toMatchObject({ cause: 'notFound', where: 'inside', resolved: true });

    await change(app, { disabled: true });
    await app.get('/students');
    expect(await explainLastCall(app)).toMatchObject({
      cause: 'tokenDisabled',
      status: 'disabled',
      resolved: false,
    });
    await change(app, { disabled: false });
    expect(await explainLastCall(app)).toMatchObject({
      cause: 'tokenDisabled',
      status: 'enabled',
      resolved: true,
    });
    await admin.delete(`/api-tokens/${app.id}`, { 'x-confirm-password': admin.password });
    expect(await explainLastCall(app)).toMatchObject({
      cause: 'tokenDisabled',
      status: 'revoked',
      resolved: false,
    });
  });

  it('hides whether a missing student exists outside the caller’s range', async () => {
    const app = await ofGrade.issue(school.schoolDb, { scopeType: 'grade', scopeGradeId: grade.id });
    await app.get(`/students/${otherGrade.classes[0].students[0]?.id}`);
    expect(await explainLastCall(app, ofGrade)).toMatchObject({ cause: 'notFound', where: 'unknown' });
    expect(await explainLastCall(app)).toMatchObject({ cause: 'notFound', where: 'outside' });
  });

  it('of a call without a known credential is for super administrators only', async () => {
    await test.anonymous.external.get('/students');
    const { data } = await admin.get('/api-tokens/logs?limit=1');
    const [{ id, createdAt }] = (data as { list: [{ id: number; createdAt: string }] }).list;
    const path = `/api-tokens/logs/explanation?id=${id}&createdAt=${createdAt}`;
    expect((await admin.get(path)).data).toMatchObject({ cause: 'tokenMissing', status: 'unknown' });
    expect((await ofGrade.get(path)).status).toBe(404);
  });

  it('covers OneRoster calls, including expired access tokens', async () => {
    const app = await school.issue({ scopes: ['structure:read'] });
    const signIn = async (scope: string, client = String(app.id)) => {
      const { statusCode, json } = await test.app.http.inject({
        method: 'POST',
        url: '/ims/oneroster/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({
          ...{
            grant_type: 'client_credentials',
            scope: `https://purl.imsglobal.org/spec/or/v1p2/scope/${scope}`,
          },
          ...{ client_id: client, client_secret: app.token },
        }).toString(),
      });
      return statusCode === 200 ? (json().access_token as string) : '';
    };
    const get = (token: string, path: string) =>
      test.app.http.inject({
        url: `/ims/oneroster/rostering/v1p2${path}`,
        headers: { authorization: `Bearer ${token}` },
      });
    const [token, core] = [await signIn('roster.readonly'), await signIn('roster-core.readonly')];
    const lacks = { cause: 'permission', permission: 'students:read', resolved: false };
    const calls: [() => Promise<unknown>, object][] = [
      [() => get(token, '/students'), { ...lacks, operation: 'getAllStudents' }],
      [() => get(token, '/students/x/classes'), { ...lacks, operation: 'getClassesForStudent' }],
      [() => get(token, "/classes?filter=students.sourcedId='x'"), { ...lacks, operation: 'getAllClasses' }],
      [() => get(token, '/classes/x'), { cause: 'notFound', operation: 'getClass', where: 'unknown' }],
      [() => get(token, '/guardians'), { cause: 'unknownPath', operation: null }],
      [() => get(core, '/terms/x/classes'), { cause: 'unknown', operation: 'getClassesForTerm' }],
      [() => signIn('roster.readonly', 'other'), { cause: 'unknown' }],
      [() => app.get('/changes?types=student'), { cause: 'unknown', operation: 'getChanges' }],
    ];
    for (const [call, told] of calls) {
      await call();
      expect(await explainLastCall(app)).toMatchObject(told);
    }
    await get(token, '/students');
    await change(app, { scopes: ['structure:read', 'students:read'] });
    expect(await explainLastCall(app)).toMatchObject({ cause: 'permission', resolved: true });
    test.clock.advance(3_600_000);
    await get(token, '/classes');
    expect(await explainLastCall(app)).toMatchObject({ cause: 'accessTokenExpired', resolved: false });
  });
});
