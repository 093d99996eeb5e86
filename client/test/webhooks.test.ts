import { beforeAll, expect, it } from 'vitest';
import { waitForCompleteFeed } from '../../server/test/eventually.ts';
import { openSchool, type TestApp } from '../../server/test/test-app.ts';
import { newReceiver, type ReceivedMessage } from '../../server/test/webhook-receiver.ts';
import { Classledger, verifyWebhook, type WebhookHeaders, WebhookVerificationError } from '../src/index.ts';

let test: TestApp;
let sent: ReceivedMessage;
let secret: string;
let newSecret: string;
let afterRotation: ReceivedMessage;
let studentId: number;

beforeAll(async () => {
  const { test: opened, school, office } = await openSchool({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  test = opened;
  const client = new Classledger({ url: await test.listen(), token: office.token });
  const receiver = await newReceiver();
  studentId = school.grades[0].classes[0].students[0]?.id as number;
  await waitForCompleteFeed(test);
  const webhook = await client.createWebhook({ url: receiver.url, events: ['student.*'] });
  secret = webhook.secret;
  const rename = async (actualName: string) => {
    await client.updateStudent(studentId, { actualName });
    await waitForCompleteFeed(test);
    await test.app.deliverWebhooks();
    return receiver.received.at(-1) as ReceivedMessage;
  };
  sent = await rename('李伟');
  ({ secret: newSecret } = await client.rotateWebhookSecret(webhook.id));
  afterRotation = await rename('Li Wei');
});

const now = () => test.clock.now().getTime();
const headersOf = ({ headers }: ReceivedMessage) => headers as WebhookHeaders;
const refusal = (verifying: Promise<unknown>) =>
  verifying.then(
    () => expect.fail('It was accepted'),
    (error: unknown) => (error instanceof WebhookVerificationError ? error.reason : error),
  );

it('verifyWebhook returns the message of a delivery, for text or bytes and headers of Node.js or fetch', async () => {
  const message = await verifyWebhook(sent.text, headersOf(sent), secret, { now: now() });
  expect(message).toMatchObject({
    id: sent.id,
    type: 'student.updated',
    data: { type: 'student', id: studentId, record: { actualName: '李伟' } },
  });
  const bytes = new TextEncoder().encode(sent.text);
  const asFetch = new Headers(sent.headers as Record<string, string>);
  for (const body of [bytes, bytes.buffer, Buffer.from(sent.text)]) {
    expect(await verifyWebhook(body, asFetch, secret, { now: now() })).toEqual(message);
  }
  const shouted = Object.fromEntries(
    Object.entries(headersOf(sent)).map(([name, value]) => [name.toUpperCase(), [value as string]]),
  );
  expect(await verifyWebhook(sent.text, shouted, secret, { now: now() })).toEqual(message);
});

it('verifyWebhook accepts the old and the new secret during a rotation, but rejects the new secret earlier', async () => {
  for (const one of [secret, newSecret]) {
    const message = await verifyWebhook(afterRotation.text, headersOf(afterRotation), one, { now: now() });
    expect(message.data).toMatchObject({ record: { actualName: 'Li Wei' } });
  }
  expect(await refusal(verifyWebhook(sent.text, headersOf(sent), newSecret, { now: now() }))).toBe(
    'wrongSignature',
  );
});

it('verifyWebhook rejects a changed body, id, time or signature', async () => {
  const headers = headersOf(sent) as Record<string, string>;
  const tampered = (body: string, more: Record<string, string> = {}) =>
    refusal(verifyWebhook(body, { ...headers, ...more }, secret, { now: now() }));
  const time = String(Number(headers['webhook-timestamp']) + 1);
  const signature = headers['webhook-signature'] as string;
  expect(
    await Promise.all([
      tampered(sent.text.replace('李伟', '李佛')),
      tampered(`${sent.text} `),
      tampered(sent.text, { 'webhook-id': 'msg_other' }),
      tampered(sent.text, { 'webhook-timestamp': time }),
      tampered(sent.text, { 'webhook-signature': signature.slice(0, -2) }),
      tampered(sent.text, { 'webhook-signature': signature.replace('v1,', 'v2,') }),
      tampered(sent.text, { 'webhook-signature': 'v1,' }),
      tampered(sent.text, { 'webhook-signature': 'garbage' }),
    ]),
  ).toEqual(Array(8).fill('wrongSignature'));
});

it('verifyWebhook rejects a delivery more than five minutes older or newer than now, with wrongTime', async () => {
  const at = Number(sent.headers['webhook-timestamp']) * 1_000;
  const verify = (moment: number, toleranceSeconds?: number) =>
    verifyWebhook(sent.text, headersOf(sent), secret, { now: moment, toleranceSeconds });
  expect(await refusal(verify(at + 301_000))).toBe('wrongTime');
  expect(await refusal(verify(at - 301_000))).toBe('wrongTime');
  expect(await refusal(verify(at + 11_000, 10))).toBe('wrongTime');
  for (const moment of [at + 300_000, at - 300_000]) expect(await verify(moment)).toHaveProperty('id');
});

it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
  'verifyWebhook rejects a request without %s',
  async (name) => {
    const { [name]: _, ...others } = headersOf(sent) as Record<string, string>;
    expect(await refusal(verifyWebhook(sent.text, others, secret, { now: now() }))).toBe('missingHeader');
  },
);

it.each([undefined, '', 'whsec_', 'whsec_***', 'secret'])(
  'verifyWebhook throws a TypeError for the secret %j',
  async (wrong) => {
    expect(await refusal(verifyWebhook(sent.text, headersOf(sent), wrong as string))).toBeInstanceOf(
      TypeError,
    );
  },
);
