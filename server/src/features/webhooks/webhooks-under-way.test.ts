import { describe, expect, it } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import type { CredentialClient } from '../../../test/identities.ts';
import { createSampleSchool, openSchool, startTestApp, TestClock } from '../../../test/test-app.ts';
import { waitForCompleteFeed } from '../../../test/wait-for-complete-feed.ts';
import { newReceiver, type WebhookReceiver } from '../../../test/webhook-receiver.ts';

const clock = new TestClock();
clock.set(new Date().toISOString());
const { test, school, office, teacher } = await openSchool({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { clock });
const other = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { shareDatabaseWith: test });
const [first, second] = school.grades[0].classes;
const [ann, ben] = first.students as unknown as { id: number }[] as [{ id: number }, { id: number }];
const minute = 60_000;

async function subscribe(by: CredentialClient, receiver: WebhookReceiver, events: string[]) {
  await waitForCompleteFeed(test);
  return (await by.post('/webhooks', { url: receiver.url, events })).data as { id: number };
}
async function deliver(at = test): Promise<void> {
  await waitForCompleteFeed(test);
  await at.app.deliverWebhooks();
}
const remove = (webhook: { id: number }, by = office) => by.delete(`/webhooks/${webhook.id}`);

describe('Webhook that changes during a delivery', () => {
  it('a paused or deleted webhook gets nothing more, and never an older change after a newer one', async () => {
    const receiver = await newReceiver();
    const webhook = await subscribe(office, receiver, ['student.*']);
    await deliver();
    const made: number[] = [];
    for (let i = 0; i < 9; i++) {
      const body = { username: `made${i}`, actualName: 'Old', classId: first.id };
      made.push(((await office.post('/students', body)).data as { id: number }).id);
    }
    const last = made.at(-1) as number;
    let open = () => {};
    const gate = new Promise<number>((resolve) => {
      open = () => resolve(204);
    });
    receiver.answer = () => gate;
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
    open();
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
      await remove(webhook);
      return 204;
    };
    await deliver();
    expect(receiver.received.length).toBe(4);
  });

  it('a webhook does not report a student as deleted who has returned to the range', async () => {
    const receiver = await newReceiver();
    const webhook = await subscribe(teacher, receiver, ['student.*']);
    for (const { id } of [second, first]) {
      await office.patch(`/students/${ben.id}`, { classId: id });
      await deliver();
    }
    expect(receiver.receivedEvents).toEqual([`student.deleted ${ben.id}`, `student.created ${ben.id}`]);
    await (await test.signIn()).post(`/webhooks/${webhook.id}/replay`, { deliveryId: 1 });
    await deliver();
    expect(receiver.receivedEvents.length).toBe(2);
    await remove(webhook, teacher);
  });

  it('at most eight messages of a school wait for slow receivers, and other schools are not delayed', async () => {
    const stranger = await createSampleSchool(await test.signIn(), 'A school with a quick receiver');
    const slow = await newReceiver();
    const quick = await newReceiver();
    let open = () => {};
    const gate = new Promise<number>((resolve) => {
      open = () => resolve(204);
    });
    slow.answer = () => gate;
    const webhooks = [];
    for (let i = 0; i < 3; i++) webhooks.push(await subscribe(office, slow, ['grade.*']));
    const theirs = await stranger.issue({});
    const own = await subscribe(theirs, quick, ['grade.*']);
    await deliver();
    for (let i = 0; i < 5; i++) await office.post('/grades', { name: `Made ${i}` });
    await theirs.post('/grades', { name: 'Theirs' });
    const under = deliver();
    await eventually('as many as may be are under way', () => slow.received.length === 8);
    await eventually('the other school is told', () => quick.received.length === 1);
    await office.get('/ping');
    expect(slow.received.length).toBe(8);
    open();
    await under;
    expect(slow.received.length).toBe(15);
    for (const webhook of webhooks) await remove(webhook);
    await remove(own, theirs);
  });

  it('a webhook delivers other messages while one message is rejected again and again', async () => {
    const receiver = await newReceiver();
    const webhook = await subscribe(office, receiver, ['score.created']);
    const bad = await office.give(ann.id, 1);
    receiver.answer = ({ body }) => (body.data.id === bad ? 422 : 204);
    for (let i = 0; i < 6; i++) {
      clock.advance(60 * minute);
      await deliver();
    }
    const good = await office.give(ben.id, 1);
    await deliver();
    expect(receiver.receivedEvents.at(-1)).toBe(`score.created ${good}`);
    await remove(webhook);
  });
});
