import type { Activity } from '@classledger/contract';
import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished } from 'vitest';
import { eventually, waitForCompleteFeed } from '../../../test/eventually.ts';
import type { CredentialClient } from '../../../test/identities.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import {
  createSampleSchool,
  openSchool,
  startTestApp,
  type TestApp,
  TestClock,
} from '../../../test/test-app.ts';
import { newReceiver, type ReceivedMessage, type WebhookReceiver } from '../../../test/webhook-receiver.ts';

// Starts at the real time, because signatures are verified against the real clock.
const clock = new TestClock();
clock.set(new Date().toISOString());
const { test, school, office, teacher } = await openSchool(
  { WEBHOOK_ALLOW_PRIVATE: 'true', LOG_LEVEL: 'warn' },
  { clock },
);
const other = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { shareDatabaseWith: test });
const [grade] = school.grades;
const [first, second] = grade.classes;
const [ann, ben, cem] = first.students;

type CreatedWebhook = { id: number; secret: string };

/** Creates a webhook for one test. */
async function subscribe(by: CredentialClient, events: string[], to: WebhookReceiver | null = null) {
  await waitForCompleteFeed(test);
  const receiver = to ?? (await newReceiver());
  const webhook = await by.created<CreatedWebhook>('/webhooks', { url: receiver.url, events });
  onTestFinished(async () => void (await by.delete(`/webhooks/${webhook.id}`)));
  return { receiver, webhook };
}

async function deliver(at: TestApp = test): Promise<void> {
  await waitForCompleteFeed(test);
  await at.app.deliverWebhooks();
}
const minute = 60_000;

const lineOf = (receiver: WebhookReceiver, student: { id: number }) =>
  receiver.received
    .filter(({ body: { data } }) => (data.record as { userId?: number } | null)?.userId === student.id)
    .map(({ body }) => body.data.id);
const shown = ({ id }: CreatedWebhook) => office.read<Record<string, unknown>>(`/webhooks/${id}`);
const log = async ({ id }: CreatedWebhook, query = '') =>
  (await test.signIn()).read<Record<string, unknown>[]>(`/webhooks/${id}/deliveries${query}`);
const loggedTargets = async (action: string) => {
  const lines = await (await test.signIn()).read<Activity[]>(`/admin/activity?action=${action}`);
  return lines.map(({ target }) => target);
};

it('a paused or deleted webhook gets nothing more, and never an older change after a newer one', async () => {
  const { receiver, webhook } = await subscribe(office, ['student.*']);
  await deliver();
  const { students: made } = await school.newClass(grade.id, 9);
  const last = made.at(-1)?.id as number;
  const gate = Promise.withResolvers<number>();
  receiver.answer = () => gate.promise;
  const under = deliver();
  await eventually('the first ones are under way', () => receiver.received.length === 4);
  await office.patch(`/students/${last}`, { actualName: 'New' });
  await office.patch(`/webhooks/${webhook.id}`, { active: false });
  await office.patch(`/webhooks/${webhook.id}`, { active: true });
  // The feed may not show the change yet; waiting until it does could outlast the receiver's timeout.
  await other.app.deliverWebhooks();
  expect(receiver.received.length).toBe(4);
  const during = (change: () => Promise<unknown>) => async () => {
    await change();
    return 204;
  };
  receiver.answer = during(() => office.patch(`/webhooks/${webhook.id}`, { active: false }));
  gate.resolve(204);
  await under;
  expect(receiver.received.length).toBe(8);
  receiver.answer = () => 204;
  await office.patch(`/webhooks/${webhook.id}`, { active: true });
  await deliver();
  const names = receiver.received.filter(({ body }) => body.data.id === last);
  expect(names.length).toBeGreaterThan(0);
  for (const { body } of names) expect(body.data.record).toMatchObject({ actualName: 'New' });

  for (const { id } of made) await office.patch(`/students/${id}`, { actualName: 'Newer' });
  receiver.received.length = 0;
  receiver.answer = during(() => office.delete(`/webhooks/${webhook.id}`));
  await deliver();
  expect(receiver.received.length).toBe(4);
});

it('a webhook does not report a student as deleted who has returned to the range', async () => {
  const { receiver, webhook } = await subscribe(teacher, ['student.*']);
  for (const { id } of [second, first]) {
    await office.patch(`/students/${ben.id}`, { classId: id });
    await deliver();
  }
  expect(receiver.receivedEvents).toEqual([`student.deleted ${ben.id}`, `student.created ${ben.id}`]);
  await (await test.signIn()).post(`/webhooks/${webhook.id}/replay`, { deliveryId: 1 });
  await deliver();
  expect(receiver.receivedEvents.length).toBe(2);
});

it('at most eight messages of a school wait for slow receivers, and other schools are not delayed', async () => {
  const stranger = await createSampleSchool(await test.signIn(), 'A school with a quick receiver');
  const slow = await newReceiver();
  const gate = Promise.withResolvers<number>();
  slow.answer = () => gate.promise;
  for (let i = 0; i < 3; i++) await subscribe(office, ['grade.*'], slow);
  const theirs = await stranger.issue({});
  const { receiver: quick } = await subscribe(theirs, ['grade.*']);
  await deliver();
  for (let i = 0; i < 5; i++) await office.post('/grades', { name: `Made ${i}` });
  await theirs.post('/grades', { name: 'Theirs' });
  const under = deliver();
  await eventually('as many as may be are under way', () => slow.received.length === 8);
  await eventually('the other school is told', () => quick.received.length === 1);
  await office.get('/ping');
  expect(slow.received.length).toBe(8);
  gate.resolve(204);
  await under;
  expect(slow.received.length).toBe(15);
});

it('a webhook gets every change that its credential may read, signed by Standard Webhooks', async () => {
  const { receiver, webhook } = await subscribe(teacher, ['student.updated', 'score.*', 'class.*']);

  const given = await office.give(ann.id, 3, 'Homework');
  await office.give(second.students[0].id, 1);
  await office.patch(`/students/${ben.id}`, { actualName: 'Ben' });
  await office.delete(`/scores/${given}`);
  await deliver();

  expect(receiver.receivedEvents).toEqual([`student.updated ${ben.id}`, `score.revoked ${given}`]);
  const isSigned = ({ text, headers }: ReceivedMessage, { secret }: CreatedWebhook) =>
    new Webhook(secret).verify(text, headers as Record<string, string>) !== undefined;
  for (const message of receiver.received) {
    expect(isSigned(message, webhook)).toBe(true);
    expect(message.headers['content-type']).toBe('application/json');
  }
  expect(receiver.received[0]?.body).toMatchObject({
    type: 'student.updated',
    data: {
      ...{ type: 'student', action: 'updated', id: ben.id },
      ...{ record: { actualName: 'Ben' }, tombstone: null },
    },
  });
  expect(receiver.received[1]?.body.data).toMatchObject({ record: null, tombstone: { userId: ann.id } });

  const renewed = await teacher.created<CreatedWebhook>(`/webhooks/${webhook.id}/secret`, {});
  expect((await office.patch(`/classes/${first.id}`, { name: 'Class A1' })).code).toBe(0);
  await deliver();
  const after = receiver.received.at(-1) as ReceivedMessage;
  expect(after.body.type).toBe('class.updated');
  for (const each of [webhook, renewed]) expect(isSigned(after, each)).toBe(true);
});

it('a webhook says whether a record was deleted because its term was closed', async () => {
  const { id: classId, students } = await school.newClass(grade.id);
  const [stays, leaves] = students.map(({ id }) => id) as [number, number];
  const { receiver } = await subscribe(office, ['score.deleted']);
  const [closed, removed] = [await office.give(stays), await office.give(leaves)];
  await office.delete(`/students/${leaves}?confirm=true`);
  const ended = { schoolDb: school.schoolDb, classId, action: 'archive' };
  await (await test.signIn()).created('/admin/term-switch', ended);
  await deliver();
  const reasons = receiver.received.map(({ body: { data } }) => [data.id, data.because]);
  expect(Object.fromEntries(reasons)).toEqual({ [closed]: 'termClosed', [removed]: undefined });
});

it('a webhook loses nothing while its receiver is down for an hour, and keeps the order for each student', async () => {
  const { receiver, webhook } = await subscribe(office, ['score.created']);
  receiver.answer = () => 503;
  const given = new Map<number, number[]>([ann, ben].map(({ id }) => [id, []]));
  for (let passed = 0; passed < 60; passed += 5) {
    for (const { id } of [ann, ben]) given.get(id)?.push(await office.give(id, 1));
    await deliver();
    clock.advance(5 * minute);
  }
  // The server probes the receiver now and then, instead of sending each waiting delivery.
  expect(receiver.received.length).toBeLessThan(15);
  expect(await shown(webhook)).toMatchObject({ active: true, failingSince: expect.any(String) });

  receiver.beginAnew();
  clock.advance(70 * minute);
  await deliver();
  for (const student of [ann, ben]) expect(lineOf(receiver, student)).toEqual(given.get(student.id));
  expect(receiver.received.length).toBe(24);
  expect(await shown(webhook)).toMatchObject({ failingSince: null, nextAttemptAt: null });
});

it('a rejected change delays later changes of the same student, while other changes are delivered', async () => {
  const { receiver, webhook } = await subscribe(office, ['score.created']);
  const bad = await office.give(ann.id, 1);
  receiver.answer = ({ body }) => (body.data.id === bad ? 422 : 204);
  const later = await office.give(ann.id, 1);
  const others: number[] = [];
  for (let i = 0; i < 4; i++) others.push(await office.give(ben.id, 1));
  await deliver();
  expect(lineOf(receiver, ben)).toEqual(others);
  expect(lineOf(receiver, ann)).toEqual([bad]);
  // The receiver accepts other messages, so it counts as up.
  for (let i = 0; i < 13; i++) {
    clock.advance(6 * 60 * minute);
    await office.give(ben.id, 1);
    await deliver();
  }
  expect(lineOf(receiver, ann).at(-1)).toBe(later);
  expect(await shown(webhook)).toMatchObject({ active: true, stoppedBecause: null });
  expect((await log(webhook, '?state=failed')).map(({ statusCode }) => statusCode)).toEqual([422]);
});

it('several processes deliver each change once, and take over the deliveries of a killed process', async () => {
  const { receiver, webhook } = await subscribe(office, ['score.created']);
  // The first process owns the webhook from here on.
  await deliver(test);
  const [one, two] = [await office.give(ann.id, 1), await office.give(ben.id, 1)];
  await Promise.all([deliver(test), deliver(other), deliver(test), deliver(other)]);
  expect(receiver.receivedEvents.sort()).toEqual([`score.created ${one}`, `score.created ${two}`]);

  // A process without an answer resembles a killed one: it writes nothing more.
  receiver.received.length = 0;
  const stuckAnswer = Promise.withResolvers<number>();
  receiver.answer = () => stuckAnswer.promise;
  const three = await office.give(ann.id, 1);
  const stuck = deliver(test);
  await eventually('it is being sent', () => receiver.received.length === 1);
  receiver.answer = () => 204;
  const four = await office.give(ann.id, 1);
  await deliver(other);
  expect(receiver.receivedEvents).toEqual([`score.created ${three}`]);
  clock.advance(61_000);
  await deliver(other);
  expect(receiver.receivedEvents).toEqual([three, three, four].map((id) => `score.created ${id}`));
  const [before, after] = receiver.received as [ReceivedMessage, ReceivedMessage];
  expect(after.id).toBe(before.id);
  stuckAnswer.resolve(204);
  await stuck;
  expect((await log(webhook)).every(({ state }) => state === 'delivered')).toBe(true);
});

it('a webhook without a working receiver stops after three days with an activity line, and loses nothing when resumed', async () => {
  const { receiver, webhook } = await subscribe(office, ['score.created']);
  receiver.answer = () => 302;
  const given = [await office.give(ann.id, 1)];
  for (let hour = 0; hour < 80 && (await shown(webhook)).active; hour += 5) {
    await deliver();
    clock.advance(5 * 60 * minute);
  }
  expect(await shown(webhook)).toMatchObject({ active: false, stoppedBecause: 'failed' });
  // Redirects are not followed: all attempts carry the same message.
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
  given.push(await office.give(ben.id, 1));
  const stop = { id: webhook.id, name: new URL(receiver.url).host };
  expect((await loggedTargets('webhookStopped'))[0]).toEqual(stop);
  const admin = await test.signIn();
  expect(await admin.read('/webhooks')).toMatchObject([{ id: webhook.id, stoppedBecause: 'failed' }]);

  receiver.beginAnew();
  await admin.patch(`/webhooks/${webhook.id}`, { active: true });
  await deliver();
  expect(receiver.receivedEvents.sort()).toEqual(given.map((id) => `score.created ${id}`));

  // Several parallel refusals: no retry is planned.
  receiver.answer = () => 410;
  for (const { id } of first.students) await office.give(id, 1);
  await deliver();
  expect(await shown(webhook)).toMatchObject({ active: false, stoppedBecause: 'gone', nextAttemptAt: null });
});

it('a webhook is not sent changes without permission, out of range, or with a disabled credential or school', async () => {
  const admin = await test.signIn();
  const scope = { scopeType: 'class', scopeClassId: first.id } as const;
  const app = await admin.issue(school.schoolDb, { ...scope, scopes: ['students:read', 'scores:read'] });
  const { receiver, webhook } = await subscribe(app, ['student.*', 'score.*']);
  receiver.answer = () => 500;
  await office.give(ann.id, 1);
  await deliver();
  receiver.beginAnew();

  await admin.patch(`/api-tokens/${app.id}`, { scopes: ['students:read'] });
  clock.advance(minute);
  await deliver();
  expect(receiver.receivedEvents).toEqual([]);
  expect((await log(webhook))[0]).toMatchObject({ state: 'skipped' });
  expect(await admin.read(`/webhooks?tokenId=${app.id}`)).toMatchObject([{ refused: ['scores:read'] }]);

  // A student who leaves the range counts as deleted, and later changes are not sent.
  await office.patch(`/students/${ben.id}`, { classId: second.id });
  await office.patch(`/students/${ben.id}`, { actualName: 'Somebody else' });
  await deliver();
  expect(receiver.receivedEvents).toEqual([`student.deleted ${ben.id}`]);
  expect(receiver.received[0]?.text).not.toContain('Somebody else');
  await office.patch(`/students/${ben.id}`, { classId: first.id });
  await deliver();

  receiver.received.length = 0;
  for (const path of [`/api-tokens/${app.id}`, `/schools/${school.id}`]) {
    await office.patch(`/students/${ann.id}`, { actualName: `Ann ${path}` });
    await admin.patch(path, { disabled: true });
    await deliver();
    expect(receiver.receivedEvents).toEqual([]);
    await admin.patch(path, { disabled: false });
    await deliver();
    expect(receiver.receivedEvents).toEqual([`student.updated ${ann.id}`]);
    receiver.received.length = 0;
  }
  await admin.delete(`/api-tokens/${app.id}`, { 'x-confirm-password': admin.password });
  await office.patch(`/students/${ann.id}`, { actualName: 'Ann' });
  await deliver();
  expect(receiver.receivedEvents).toEqual([]);
});

it('subscribing to changes that the credential may not read answers 40302', async () => {
  const admin = await test.signIn();
  const app = await admin.issue(school.schoolDb, { scopes: ['students:read'] });
  const url = 'http://127.0.0.1:9/';
  const asked = await app.post('/webhooks', { url, events: ['student.*', 'score.created'] });
  expect(asked).toMatchObject({ code: 40302, message: expect.stringContaining('scores:read') });
  expect(asked.headers['x-accepted-permissions']).toBe('scores:read');
  const paused = { url, events: ['student.*'], active: false };
  const { id } = await app.created<{ id: number }>('/webhooks', paused);
  const more = { events: ['student.*', 'score.created', 'grade.created'] };
  const changed = await app.patch(`/webhooks/${id}`, more);
  expect(changed).toMatchObject({ code: 40302 });
  expect(changed.headers['x-accepted-permissions']).toBe('scores:read, structure:read');
  await app.delete(`/webhooks/${id}`);
  for (let i = 0; i < 10; i++) await app.created('/webhooks', paused);
  expect(await app.post('/webhooks', paused)).toMatchObject({ code: 40901 });
  expect(await office.read('/webhooks')).toMatchObject({ list: [], total: 0 });
});

it('an administrator sees each delivery, and can resend one or all since a time, with current data', async () => {
  const { receiver, webhook } = await subscribe(office, ['student.updated']);
  const admin = await test.signIn();
  await office.patch(`/students/${ann.id}`, { actualName: 'Ann One' });
  await deliver();
  clock.advance(minute);
  const since = clock.now().toISOString();
  await office.patch(`/students/${ben.id}`, { actualName: 'Ben One' });
  await office.patch(`/students/${ann.id}`, { actualName: 'Ann Two' });
  await deliver();
  const sent = await log(webhook);
  expect(sent).toMatchObject(
    [3, 2, 1].map((id) => ({ id, state: 'delivered', attempts: 1, statusCode: 204, error: null })),
  );
  expect(JSON.stringify(sent)).not.toContain('Ann');

  const before = receiver.received.splice(0);
  const again = (body: object) => admin.post(`/webhooks/${webhook.id}/replay`, body);
  expect((await again({ deliveryId: 1 })).data).toMatchObject({ deliveries: 1 });
  expect((await again({ since })).data).toMatchObject({ deliveries: 2 });
  expect((await again({ deliveryId: 99 })).status).toBe(404);
  expect((await again({ since, deliveryId: 1 })).status).toBe(400);
  await deliver();
  expect(receiver.received.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
  expect(receiver.received.map(({ text }) => text).join()).not.toContain('Ann One');
  await admin.delete(`/webhooks/${webhook.id}`);
  expect(await office.read('/webhooks')).toMatchObject({ list: [], total: 0 });
});

it('a delivery that read a change before the erasure does not name the erased student', async () => {
  const { receiver, webhook } = await subscribe(teacher, ['student.*']);
  await deliver();
  await office.patch(`/students/${cem.id}`, { classId: second.id });
  await waitForCompleteFeed(test);
  // The changes are read, but the delivery waits for the locked row.
  const held = await LockedRows.inTable(test, 'webhook', webhook.id);
  const delivered = test.app.deliverWebhooks();
  await held.waitUntilWaiting(1);
  await (await test.signIn()).created(`/users/${cem.id}/erase`, { schoolDb: school.schoolDb });
  await held.release();
  await delivered;
  await deliver();
  expect(receiver.received[0]?.body.data).toMatchObject({ id: cem.id, tombstone: { username: null } });
  const rows = await test.rows(
    'SELECT tombstone FROM webhook_delivery WHERE thing_id = $1 AND tombstone IS NOT NULL',
    cem.id,
  );
  expect(rows[0].tombstone).toMatchObject({ username: null });
});

it('after a restore, a webhook reports missed changes, and reuses no message id', async () => {
  const { receiver, webhook } = await subscribe(office, ['score.created']);
  const before = await office.give(ann.id, 1);
  await deliver();
  // Simulates a restore from a backup that is older than the delivery.
  const { pool } = test.database;
  await pool.query(`COMMENT ON TABLE change IS 'put back'`);
  await pool.query('UPDATE webhook SET next_number = 1 WHERE id = $1', [webhook.id]);
  await pool.query('DELETE FROM webhook_delivery');
  clock.advance(minute);
  await deliver();
  expect(await shown(webhook)).toMatchObject({ missedAt: clock.now().toISOString() });
  expect((await loggedTargets('webhookMissed')).map((target) => target?.id)).toContain(webhook.id);
  const after = await office.give(ann.id, 1);
  await deliver();
  expect(receiver.receivedEvents).toEqual([before, after].map((id) => `score.created ${id}`));
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(2);
});
