import type { Application } from '@classledger/contract';
import { beforeEach, expect, it } from 'vitest';
import { createAdmin } from '../../../test/administrators.ts';
import type { AdminClient } from '../../../test/identities.ts';
import { removeExpired } from '../../../test/stored-rows.ts';
import { startTestApp } from '../../../test/test-app.ts';

const hourMs = 3_600_000;
const application = {
  schoolName: 'Riverside School',
  applicantName: 'Mei Zhao',
  contactPhone: '+86 10 5550 0142',
  reason: 'We would like to use points in grades 1 to 3.',
};

const perHour = 5;
const test = await startTestApp({
  ...{ TRUST_PROXY: 'true', APPLICATIONS_PER_HOUR: String(perHour), APPLICATION_RETENTION_DAYS: '30' },
});
let admin = await createAdmin(test, { username: 'reviewer', role: 'super_admin', schoolId: null });

beforeEach(async () => {
  await test.database.pool.query('DELETE FROM application');
  // Lets the applications of earlier tests expire.
  test.clock.advance(2 * hourMs);
  admin = { ...admin, ...(await test.signIn(admin.username, admin.password)) };
});

const submit = (body: object = {}, address = '192.0.2.1') =>
  test.anonymous.internal.post('/applications', { ...application, ...body }, { 'x-forwarded-for': address });
async function submitAndReadId(schoolName: string, address?: string): Promise<number> {
  const answer = await submit({ schoolName }, address);
  expect(answer).toMatchObject({ status: 200 });
  return (answer.data as { id: number }).id;
}
const readApplications = (query = '') => admin.read<Application[]>(`/applications${query}`);

it('an application is submitted without sign-in as pending, and returns only id, school name and status', async () => {
  const answer = await submit({ schoolName: ' Riverside School ' });
  expect(answer).toMatchObject({ status: 200, success: true });
  const { id } = answer.data as { id: number };
  expect(answer.data).toEqual({ id, schoolName: 'Riverside School', status: 'pending' });
  const unreviewed = { status: 'pending', reviewNote: null, reviewedAt: null, reviewedBy: null };
  const createdAt = test.clock.now().toISOString();
  expect(await readApplications()).toEqual([{ ...application, id, ...unreviewed, createdAt }]);
  expect(await submit({ status: 'approved' })).toMatchObject({ status: 200, data: { status: 'pending' } });
});

it('an application with an invalid field is rejected with 400 and does not count towards the limit', async () => {
  const unnamed = { applicantName: '  ' };
  for (let n = 0; n < 6; n++) expect(await submit(unnamed)).toMatchObject({ status: 400, data: null });
  expect((await submit()).status).toBe(200);
  expect(await readApplications()).toHaveLength(1);
});

it('the sixth application within an hour from one address gets 429, even when the machine’s clock is set; requests that got 429 do not count', async () => {
  for (let n = 0; n < 5; n++) {
    await submitAndReadId(`School ${n}`);
    test.clock.advance(60_000);
  }
  const refused = { status: 429, data: null, message: 'Too many applications; try again in 3300 s' };
  const headers = { 'retry-after': String(55 * 60) };
  for (let n = 0; n < 10; n++) expect(await submit()).toMatchObject({ ...refused, headers });
  const asItWas = test.clock.now().toISOString();
  for (const instant of ['2026-09-14T00:00:00.000Z', '2026-09-20T00:00:00.000Z']) {
    test.clock.set(instant);
    expect(await submit()).toMatchObject({ ...refused, headers });
  }
  test.clock.set(asItWas);
  test.clock.advance(55 * 60_000);
  await submitAndReadId('The sixth');
  expect((await submit()).status).toBe(429);
  test.clock.advance(60_000);
  await submitAndReadId('The seventh');
});

it('the addresses of an IPv6 /64 network share one limit of applications, also when they are sent at once', async () => {
  const fromNetwork = Array.from({ length: 20 }, (_, n) => submit({}, `2001:db8:1:2:${n}::${n}`));
  const statuses = (await Promise.all(fromNetwork)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([...Array(5).fill(200), ...Array(15).fill(429)]);
  await submitAndReadId('From elsewhere', '2001:db8:1:3::1');
});

it('at most 1,000 applications may be pending, even when sent at once', async () => {
  await test.database.pool.query(
    `INSERT INTO application (school_name, applicant_name, contact_phone, reason, created_at)
     SELECT 'School ' || n, 'Mei Zhao', '1', 'x', now() FROM generate_series(1, 998) n`,
  );
  const answers = await Promise.all(Array.from({ length: perHour }, () => submit()));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429]);
  for (let n = 0; n < 2 * perHour; n++) {
    const refused = await submit({}, '192.0.2.7');
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '3600' } });
    expect(refused.message).toContain('1000 applications wait for a review');
  }
  const [one, two] = await readApplications('?limit=2');
  await admin.patch(`/applications/${one?.id}`, { status: 'rejected' });
  await admin.delete(`/applications/${two?.id}`);
  await submitAndReadId('There is room again', '192.0.2.7');
  await submitAndReadId('There is room again', '192.0.2.7');
  expect((await submit({}, '192.0.2.7')).status).toBe(429);
});

it('reviewing an application stores verdict, note, time and reviewer; the newest verdict counts, and a note stays until it is replaced', async () => {
  const id = await submitAndReadId('Riverside School');
  const reviewed = async (by: AdminClient, review: object) => {
    test.clock.advance(60_000);
    const answer = await by.patch(`/applications/${id}`, review);
    expect(answer.status).toBe(200);
    expect(await readApplications()).toEqual([answer.data]);
    return answer.data;
  };
  const now = () => test.clock.now().toISOString();
  const welcome = { status: 'approved', reviewNote: ' Welcome. ' };
  expect(await reviewed(admin, welcome)).toMatchObject({
    ...{ ...application, id, status: 'approved', reviewNote: 'Welcome.' },
    ...{ reviewedAt: now(), reviewedBy: { id: admin.id, username: 'reviewer' } },
  });
  const passing = { username: 'passing', role: 'super_admin', schoolId: null } as const;
  const second = await createAdmin(test, passing);
  expect(await reviewed(second, { status: 'rejected' })).toMatchObject({
    ...{ status: 'rejected', reviewNote: 'Welcome.', reviewedAt: now() },
    reviewedBy: { id: second.id, username: 'passing' },
  });
  const cleared = await reviewed(second, { status: 'rejected', reviewNote: '' });
  expect(cleared).toMatchObject({ reviewNote: '' });
  // The name of a deleted reviewer stays.
  await admin.delete(`/admin/manage/${second.id}`);
  expect(await readApplications()).toEqual([cleared]);
});

it('applications are listed newest first, all or with one status', async () => {
  const ids = [];
  for (let n = 0; n < 4; n++) ids.push(await submitAndReadId(`School ${n}`));
  await admin.patch(`/applications/${ids[1]}`, { status: 'approved' });
  const idsOf = async (query = '') => (await readApplications(query)).map(({ id }) => id);
  expect(await idsOf()).toEqual(ids.toReversed());
  expect(await idsOf('?status=pending')).toEqual([ids[3], ids[2], ids[0]]);
  expect(await idsOf('?status=approved')).toEqual([ids[1]]);
  expect(await idsOf('?status=rejected')).toEqual([]);
  expect(await idsOf('?limit=2&page=2')).toEqual([ids[1], ids[0]]);
  expect((await admin.get('/applications?limit=1&status=pending')).headers['x-total-count']).toBe('3');
  expect((await admin.get('/applications?status=lost')).status).toBe(400);
});

it('deleting an application logs a line that names the administrator and the school', async () => {
  const [kept, id] = [await submitAndReadId('Kept School'), await submitAndReadId('Riverside School')];
  expect(await admin.delete(`/applications/${id}`)).toMatchObject({
    status: 200,
    data: { id, schoolName: 'Riverside School' },
  });
  expect((await readApplications()).map((one) => one.id)).toEqual([kept]);
  expect(await admin.delete(`/applications/${id}`)).toMatchObject({ status: 404, data: null });
  expect(await admin.patch(`/applications/${id}`, { status: 'approved' })).toMatchObject({ status: 404 });
  const lines = await admin.read<{ action: string }[]>('/admin/activity?limit=5');
  expect(lines.find(({ action }) => action === 'deleteApplication')).toMatchObject({
    username: 'reviewer',
    target: { id, name: 'Riverside School' },
  });
});

it('an application is removed APPLICATION_RETENTION_DAYS after submission, whatever the verdict', async () => {
  const id = await submitAndReadId('Riverside School');
  await admin.patch(`/applications/${id}`, { status: 'approved' });
  test.clock.advance(1);
  const later = await submitAndReadId('A later one');
  test.clock.advance(30 * 24 * hourMs - 1);
  admin = { ...admin, ...(await test.signIn(admin.username, admin.password)) };
  for (const kept of [[later, id], [later]]) {
    await removeExpired(test, 'application');
    expect((await readApplications()).map((one) => one.id)).toEqual(kept);
    test.clock.advance(1);
  }
});
