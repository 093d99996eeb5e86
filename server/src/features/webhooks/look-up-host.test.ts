import { createSocket } from 'node:dgram';
import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { createSampleSchool, startTestApp } from '../../../test/test-app.ts';
import { waitForCompleteFeed } from '../../../test/wait-for-complete-feed.ts';
import { newReceiver } from '../../../test/webhook-receiver.ts';
import { lookUpHost, UnknownHostError } from './look-up-host.ts';

/** Leaves names that begin with `silent` unanswered, denies `unknown`, and resolves others to 127.0.0.1. */
async function startNameServer() {
  const socket = createSocket('udp4');
  const silent: string[] = [];
  socket.on('message', (question, { port, address }) => {
    const name = nameIn(question);
    if (name.startsWith('silent')) return void silent.push(name);
    socket.send(answerTo(question, name), port, address);
  });
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  return { servers: [`127.0.0.1:${socket.address().port}`], silent, close: () => socket.close() };
}

const headBytes = 12;

function nameIn(question: Buffer): string {
  const labels: string[] = [];
  for (let at = headBytes; question[at] !== 0; at += 1 + (question[at] as number)) {
    labels.push(question.toString('ascii', at + 1, at + 1 + (question[at] as number)));
  }
  return labels.join('.');
}

function answerTo(question: Buffer, name: string): Buffer {
  const end = headBytes + name.length + 2;
  const isIPv4 = question.readUInt16BE(end) === 1;
  const isDenied = name.startsWith('unknown');
  const hasAnswer = isIPv4 && !isDenied;
  const head = Buffer.from(question.subarray(0, headBytes));
  head.writeUInt16BE(isDenied ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(hasAnswer ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  const record = Buffer.from([0xc0, headBytes, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);
  return Buffer.concat([head, question.subarray(headBytes, end + 4), ...(hasAnswer ? [record] : [])]);
}

const names = await startNameServer();
afterAll(() => names.close());
const { servers } = names;

describe('lookUpHost', () => {
  it('returns the addresses of a host', async () => {
    expect(await lookUpHost('known.example', { servers })).toEqual([{ address: '127.0.0.1', family: 4 }]);
  });

  it('reads the hosts file before it asks DNS', async () => {
    expect(await lookUpHost('LocalHost', { servers: ['127.0.0.1:1'] })).toContainEqual({
      address: '127.0.0.1',
      family: 4,
    });
  });

  it('throws UnknownHost for an unknown host', async () => {
    await expect(lookUpHost('unknown.example', { servers })).rejects.toThrow(UnknownHostError);
  });

  it('throws UnknownHost when the name server does not answer in time', async () => {
    await expect(lookUpHost('silent.example', { servers, timeoutMs: 50 })).rejects.toThrow(UnknownHostError);
  });
});

it('a host name that DNS does not answer does not delay the webhooks of another school', async () => {
  const receiver = await newReceiver();
  const enough = Promise.withResolvers<never>();
  const test = await startTestApp(
    { WEBHOOK_ALLOW_PRIVATE: 'true' },
    { resolve: (host) => Promise.race([lookUpHost(host, { servers, timeoutMs: 60_000 }), enough.promise]) },
  );
  try {
    const admin = await test.signIn();
    const schools = [await createSampleSchool(admin, 'Silent'), await createSampleSchool(admin, 'Other')];
    const [silent, other] = await Promise.all(
      schools.map(async (school) => ({
        office: await school.issue({}),
        pupil: school.grades[0].classes[0].students[0]?.id as number,
      })),
    );
    if (!silent || !other) throw new Error('two schools');
    const events = ['score.created'];
    for (let i = 0; i < 10; i++) {
      await silent.office.post('/webhooks', { url: `https://silent${i}.example/s`, events });
    }
    await other.office.post('/webhooks', { url: receiver.url.replace('127.0.0.1', 'known.example'), events });
    const deliver = async () => {
      await waitForCompleteFeed(test);
      void test.app.deliverWebhooks();
    };
    await silent.office.give(silent.pupil);
    await deliver();
    await eventually('the silent names are asked for', () => names.silent.length >= 8);
    await other.office.give(other.pupil);
    await deliver();
    await eventually('the other school is told', () => receiver.received.length === 1);
  } finally {
    enough.reject(new UnknownHostError('given up'));
    await test.stop();
  }
});
