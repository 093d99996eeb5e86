import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import type { CredentialClient } from '../../../test/identities.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import {
  createSampleSchool,
  openSchool,
  type SampleStudent,
  startTestApp,
  type TestApp,
  TestClock,
} from '../../../test/test-app.ts';
import { waitForCompleteFeed } from '../../../test/wait-for-complete-feed.ts';
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
const [ann, ben, cem] = first.students as [SampleStudent, SampleStudent, SampleStudent];

type CreatedWebhook = { id: number; secret: string };

/** Creates a webhook for one test. */
async function subscribe(by: CredentialClient, events: string[], to: WebhookReceiver | null = null) {
  await waitForCompleteFeed(test);
  const receiver = to ?? (await newReceiver());
  const answer = await by.post('/webhooks', { url: receiver.url, events });
  expect(answer.code, answer.message).toBe(0);
  const webhook = answer.data as CreatedWebhook;
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
const shown = async (webhook: CreatedWebhook, by = office) =>
  (await by.get(`/webhooks/${webhook.id}`)).data as Record<string, unknown>;
const log = async (webhook: CreatedWebhook, query = '') => {
  const { data } = await (await test.signIn()).get(`/webhooks/${webhook.id}/deliveries${query}`);
  return data as Record<string, unknown>[];
};

it('a paused or deleted webhook gets nothing more, and never an older change after a newer one', async () => {
  const { receiver, webhook } = await subscribe(office, ['student.*']);
  await deliver();
  const made: number[] = [];
  for (let i = 0; i < 9; i++) {
    const body = { username: `made${i}`, actualName: 'Old', classId: first.id };
    made.push(((await office.post('/students', body)).data as { id: number }).id);
  }
  const last = made.at(-1) as number;
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
  receiver.answer = async () => {
    await office.patch(`/webhooks/${webhook.id}`, { active: false });
    return 204;
  };
  gate.resolve(204);
  await under;
  expect(receiver.received.length).toBe(8);
  receiver.answer = () => 204;
  await office.patch(`/webhooks/${webhook.id}`, { active: true });
  await deliver();
  const names = receiver.received.filter(({ body }) => body.data.id === last);
  expect(names.length).toBeGreaterThan(0);
  for (const { body } of names) expect(body.data.record).toMatchObject({ actualName: 'New' });

  for (const id of made) await office.patch(`/students/${id}`, { actualName: 'Newer' });
  receiver.received.length = 0;
  receiver.answer = async () => {
    await office.delete(`/webhooks/${webhook.id}`);
    return 204;
  };
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
  await office.give(second.students[0]?.id as number, 1);
  await office.patch(`/students/${ben.id}`, { actualName: 'Ben' });
  await office.delete(`/scores/${given}`);
  await deliver();

  expect(receiver.receivedEvents).toEqual([`student.updated ${ben.id}`, `score.revoked ${given}`]);
  for (const { text, headers } of receiver.received) {
    expect(new Webhook(webhook.secret).verify(text, headers as Record<string, string>)).toBeTruthy();
    expect(headers['content-type']).toBe('application/json');
  }
  expect(receiver.received[0]?.body).toMatchObject({
    type: 'student.updated',
    data: {
      ...{ type: 'student', action: 'updated', id: ben.id },
      ...{ record: { actualName: 'Ben' }, tombstone: null },
    },
  });
  expect(receiver.received[1]?.body.data).toMatchObject({ record: null, tombstone: { userId: ann.id } });

  const renewed = (await teacher.post(`/webhooks/${webhook.id}/secret`)).data as CreatedWebhook;
  expect((await office.patch(`/classes/${first.id}`, { name: 'Class A1' })).code).toBe(0);
  await deliver();
  const after = receiver.received.at(-1) as ReceivedMessage;
  expect(after.body.type).toBe('class.updated');
  for (const { secret } of [webhook, renewed]) {
    expect(new Webhook(secret).verify(after.text, after.headers as Record<string, string>)).toBeTruthy();
  }
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

  receiver.received.length = 0;
  receiver.answer = () => 204;
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
  const admin = await test.signIn();
  const lines = (await admin.get('/admin/activity?action=webhookStopped')).data as { target: object }[];
  expect(lines[0]?.target).toEqual({ id: webhook.id, name: new URL(receiver.url).host });
  expect((await admin.get('/webhooks')).data).toMatchObject([{ id: webhook.id, stoppedBecause: 'failed' }]);

  receiver.received.length = 0;
  receiver.answer = () => 204;
  await admin.patch(`/webhooks/${webhook.id}`, { active: true });
  await deliver();
  expect(receiver.receivedEvents.sort()).toEqual(given.map((id) => `score.created ${id}`));

  // Several parallel refusals: no retry is planned.
  receiver.answer = () => 410;
  for (const { id } of first.students) await office.give(id, 1);
  await deliver();
  const stopped = { active: false, stoppedBecause: 'gone', nextAttemptAt: null };
  expect(await shown(webhook)).toMatchObject(stopped);
});

it('a webhook is not sent changes without permission, out of range, or with a disabled credential or school', async () => {
  const admin = await test.signIn();
  const scope = { scopeType: 'class', scopeClassId: first.id } as const;
  const app = await admin.issue(school.schoolDb, { ...scope, scopes: ['students:read', 'scores:read'] });
  const { receiver, webhook } = await subscribe(app, ['student.*', 'score.*']);
  receiver.answer = () => 500;
  await office.give(ann.id, 1);
  await deliver();
  receiver.received.length = 0;
  receiver.answer = () => 204;

  await admin.patch(`/api-tokens/${app.id}`, { scopes: ['students:read'] });
  clock.advance(minute);
  await deliver();
  expect(receiver.receivedEvents).toEqual([]);
  expect((await log(webhook))[0]).toMatchObject({ state: 'skipped' });
  expect((await admin.get(`/webhooks?tokenId=${app.id}`)).data).toMatchObject([{ refused: ['scores:read'] }]);

  // A student who leaves the range counts as deleted, and later changes are not sent.
  await office.patch(`/students/${ben.id}`, { classId: second.id });
  await office.patch(`/students/${ben.id}`, { actualName: 'Somebody else' });
  await deliver();
  expect(receiver.receivedEvents).toEqual([`student.deleted ${ben.id}`]);
  expect(receiver.received[0]?.text).not.toContain('Somebody else');
  await office.patch(`/students/${ben.id}`, { classId: first.id });
  await deliver();

  receiver.received.length = 0;
  const states = [
    [`/api-tokens/${app.id}`, { disabled: true }, { disabled: false }],
    [`/schools/${school.id}`, { disabled: true }, { disabled: false }],
  ] as const;
  for (const [path, off, on] of states) {
    await office.patch(`/students/${ann.id}`, { actualName: `Ann ${path}` });
    await admin.patch(path, off);
    await deliver();
    expect(receiver.receivedEvents).toEqual([]);
    await admin.patch(path, on);
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
  const { data } = await app.post('/webhooks', { url, events: ['student.*'], active: false });
  const { id } = data as { id: number };
  const more = { events: ['student.*', 'score.created', 'grade.created'] };
  const changed = await app.patch(`/webhooks/${id}`, more);
  expect(changed).toMatchObject({ code: 40302 });
  expect(changed.headers['x-accepted-permissions']).toBe('scores:read, structure:read');
  await app.delete(`/webhooks/${id}`);
  for (let i = 0; i < 10; i++) await app.post('/webhooks', { url, events: ['student.*'] });
  expect(await app.post('/webhooks', { url, events: ['student.*'] })).toMatchObject({ code: 40901 });
  expect((await office.get('/webhooks')).data).toMatchObject({ list: [], total: 0 });
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
  expect((await office.get('/webhooks')).data).toMatchObject({ list: [], total: 0 });
});

it('a delivery that read a change before the erasure does not name the erased student', async () => {
  const gone = cem;
  const { receiver, webhook } = await subscribe(teacher, ['student.*']);
  await deliver();
  await office.patch(`/students/${gone.id}`, { classId: second.id });
  await waitForCompleteFeed(test);
  // The changes are read, but the delivery waits for the locked row.
  const held = await LockedRows.inTable(test, 'webhook', webhook.id);
  const delivered = test.app.deliverWebhooks();
  await held.waitUntilWaiting(1);
  const admin = await test.signIn();
  const { schoolDb } = school;
  expect((await admin.post(`/users/${gone.id}/erase`, { schoolDb })).status).toBe(200);
  await held.release();
  await delivered;
  await deliver();
  expect(receiver.received[0]?.body.data).toMatchObject({ id: gone.id, tombstone: { username: null } });
  const { rows } = await test.database.pool.query(
    'SELECT tombstone FROM webhook_delivery WHERE thing_id = $1 AND tombstone IS NOT NULL',
    [gone.id],
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
  const admin = await test.signIn();
  const lines = (await admin.get('/admin/activity?action=webhookMissed')).data as {
    target: { id: number };
  }[];
  expect(lines.map(({ target }) => target.id)).toContain(webhook.id);
  const after = await office.give(ann.id, 1);
  await deliver();
  expect(receiver.receivedEvents).toEqual([before, after].map((id) => `score.created ${id}`));
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(2);
});
