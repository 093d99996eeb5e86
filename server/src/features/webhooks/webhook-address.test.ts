import { createSocket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { afterAll, expect, it } from 'vitest';
import { eventually, waitForCompleteFeed } from '../../../test/eventually.ts';
import { createSampleSchool, openSchool, startTestApp } from '../../../test/test-app.ts';
import { newReceiver } from '../../../test/webhook-receiver.ts';
import { lookUpHost, UnknownHostError } from './allowed-address.ts';

/** Starts a name server that answers 127.0.0.1 to every question, or a silent one. */
async function startNameServer(isSilent = false): Promise<string> {
  const socket = createSocket('udp4');
  afterAll(() => void socket.close());
  if (!isSilent)
    socket.on('message', (question, { port, address }) => socket.send(answerTo(question), port, address));
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  return `127.0.0.1:${socket.address().port}`;
}

const headBytes = 12;

/** Repeats the question, because an answer for another type than the asked one counts as none. */
function answerTo(question: Buffer): Buffer {
  const head = Buffer.from(question.subarray(0, headBytes));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(1, 6);
  head.writeUInt32BE(0, 8);
  const asked = question.subarray(headBytes, question.indexOf(0, headBytes) + 5);
  const record = Buffer.from([0xc0, headBytes, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);
  return Buffer.concat([head, asked, record]);
}

const servers = [await startNameServer()];
const silentServers = [await startNameServer(true)];
const enough = Promise.withResolvers<never>();
const silent: string[] = [];

/** The resolver's answers by name, in order. The last one repeats. The silent name server gets other names. */
const names = new Map<string, string[][]>();
const resolve = async (host: string): Promise<LookupAddress[]> => {
  const answers = names.get(host);
  if (!answers) {
    silent.push(host);
    const lookUp = lookUpHost(host, { servers: silentServers, timeoutMs: 60_000 });
    return Promise.race([lookUp, enough.promise]);
  }
  const found = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
  return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};

const inside = await newReceiver();
const { port } = new URL(inside.url);

const closed = await openSchool({}, { resolve });
const allowing = await startTestApp(
  { WEBHOOK_ALLOW_PRIVATE: 'true' },
  { resolve, shareDatabaseWith: closed.test },
);
const open = { office: allowing.with(closed.office) };
type School = typeof open;

const create = ({ office }: School, url: string) => office.post('/webhooks', { url, events: ['student.*'] });
async function tried(school: School, url: string) {
  const { code, data } = await create(school, url);
  if (code !== 0) return { refused: code };
  const { id } = data as { id: number };
  const outcome = await school.office.created(`/webhooks/${id}/test`, {});
  await school.office.delete(`/webhooks/${id}`);
  return outcome;
}
const delivered = { delivered: true };
const refused = { delivered: false, error: 'The address is one that this server does not call' };

const houses = `
  127.0.0.1 127.9.9.9 10.1.2.3 172.16.0.1 192.168.1.1 100.64.0.1 [::1] [fd00::1] [::ffff:127.0.0.1]
  [::ffff:10.0.0.1] 2130706433 0x7f.1 017700000001`
  .trim()
  .split(/\s+/);
const nowhere = `
  0.0.0.0 0.1.2.3 169.254.169.254 224.0.0.1 240.0.0.1 255.255.255.255 192.0.0.8 198.18.0.1 [::]
  [fe80::1] [ff02::1] [fec0::1] [64:ff9b::7f00:1] [2002:7f00:1::] [::7f00:1] [::ffff:169.254.169.254]
  [2001::1] [100::1] [fd00:ec2::254] [fd20:ce:0::254] 100.100.100.200 168.63.129.16
  [::ffff:168.63.129.16]`
  .trim()
  .split(/\s+/);

it('a webhook to a private or reserved address is rejected with 40002 in any spelling', async () => {
  for (const host of [...houses, ...nowhere]) {
    expect([host, (await create(closed, `https://${host}/`)).code]).toEqual([host, 40002]);
    if (nowhere.includes(host)) expect((await create(open, `https://${host}/`)).code, host).toBe(40002);
  }
});

it('a webhook URL must be https without username, password, fragment or control character, otherwise 40002', async () => {
  for (const url of [
    'http://receiver.example/',
    'ftp://receiver.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://me:secret@receiver.example/',
    'https://me@receiver.example/',
    'https://receiver.example/#part',
    'https://',
    'x',
    `https://receiver.example/${'x'.repeat(1_000)}`,
    'https://good.exam\nple.evil.test/',
    'https://x.example/\r\nX-Evil: y',
    'https://x.example/\u0000',
  ]) {
    expect([url, await create(closed, url)]).toMatchObject([url, { code: 40002, data: null }]);
  }
});

it.each([
  ['https:///x', 'https://x/'],
  ['https:receiver.example/a', 'https://receiver.example/a'],
  ['https:\\\\receiver.example\\a', 'https://receiver.example/a'],
  ['HTTPS://Receiver.Example:443/a b', 'https://receiver.example/a%20b'],
])('the webhook URL %s is stored normalised', async (url, stored) => {
  const { office } = closed;
  const webhook = { url, events: ['student.*'] };
  const { id, ...made } = await office.created<{ id: number; url: string }>('/webhooks', webhook);
  const changed = await office.patch(`/webhooks/${id}`, { url });
  await office.delete(`/webhooks/${id}`);
  expect([made.url, changed.data]).toMatchObject([stored, { url: stored }]);
});

it('the address of a webhook’s host is checked at every connection, not only when it is stored', async () => {
  for (const address of ['127.0.0.1', '::1', 'fd00::1', '169.254.169.254', '::ffff:169.254.169.254']) {
    names.set('inside.example', [[address]]);
    const outcome = await tried(closed, `https://inside.example:${port}/`);
    expect([address, outcome]).toMatchObject([address, refused]);
  }
  // The name's address changes between lookups: the connection uses the checked address.
  names.set('rebinding.example', [['127.0.0.1']]);
  expect(await tried(open, `http://rebinding.example:${port}/`)).toMatchObject(delivered);
  names.set('again.example', [['169.254.169.254'], ['127.0.0.1']]);
  expect(await tried(open, `http://again.example:${port}/`)).toMatchObject({ delivered: false });
  expect(await tried(closed, `https://rebinding.example:${port}/`)).toMatchObject({ delivered: false });
  expect(inside.received.length).toBe(1);
});

it('with WEBHOOK_ALLOW_PRIVATE, http works for private addresses only', async () => {
  names.set('house.example', [['127.0.0.1']]);
  names.set('public.example', [['203.0.114.1']]);
  for (const [url, outcome] of [
    [`http://house.example:${port}/`, delivered],
    [`http://127.0.0.1:${port}/`, delivered],
    [`http://public.example:${port}/`, refused],
    ['http://203.0.114.1/', { refused: 40002 }],
  ] as const) {
    expect([url, await tried(open, url)]).toMatchObject([url, outcome]);
  }
});

it('lookUpHost returns the addresses of a host, and reads the hosts file before it asks DNS', async () => {
  const address = { address: '127.0.0.1', family: 4 };
  expect(await lookUpHost('known.example', { servers })).toEqual([address]);
  expect(await lookUpHost('LocalHost', { servers: ['127.0.0.1:1'] })).toContainEqual(address);
});

it.each([
  ['when no name server can be asked', { servers: ['127.0.0.1:1'] }],
  ['when the name server does not answer in time', { servers: silentServers, timeoutMs: 50 }],
])('lookUpHost throws UnknownHost %s', async (_when, how) => {
  await expect(lookUpHost('any.example', how)).rejects.toThrow(UnknownHostError);
});

it('a host name that DNS does not answer does not delay the webhooks of another school', async () => {
  const receiver = await newReceiver();
  const stranger = await createSampleSchool(closed.admin, 'Other');
  const known = allowing.with(await stranger.issue({}));
  const events = ['score.created'];
  for (let i = 0; i < 10; i++) {
    await open.office.created('/webhooks', { url: `https://silent${i}.example/s`, events });
  }
  names.set('known.example', [['127.0.0.1']]);
  await known.created('/webhooks', { url: receiver.url.replace('127.0.0.1', 'known.example'), events });
  const deliver = async () => {
    await waitForCompleteFeed(allowing);
    void allowing.app.deliverWebhooks();
  };
  const pupilOf = ({ grades }: typeof stranger) => grades[0].classes[0].students[0].id;
  try {
    await open.office.give(pupilOf(closed.school));
    await deliver();
    await eventually('the silent names are asked for', () => silent.length >= 8);
    await known.give(pupilOf(stranger));
    // Checks again, as the server does each second: the first check of this webhook may still run.
    await eventually('the other school is told', async () => {
      await deliver();
      return receiver.received.length === 1;
    });
  } finally {
    enough.reject(new UnknownHostError('given up'));
  }
});
