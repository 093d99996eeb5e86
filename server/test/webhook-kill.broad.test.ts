import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventually } from './eventually.ts';
import { databaseUrl } from './own-database.ts';
import { processes } from './processes.ts';
import { openSchool, TestClock } from './test-app.ts';
import { newReceiver } from './webhook-receiver.ts';

it('another process resends the delivery of a killed process under the same id, and loses no change', async () => {
  const clock = new TestClock();
  const likeTheProcess = () => clock.set(new Date().toISOString());
  likeTheProcess();
  const { test, school, office } = await openSchool({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { clock });
  const receiver = await newReceiver();
  const isTold = (times: number) => eventually('it is told', () => receiver.got.length === times);
  const { folder, serving } = processes();
  const student = school.grades[0].classes[0].students[0]?.id as number;
  await office.post('/webhooks', { url: receiver.url, events: ['score.created'] });
  const taken = await office.give(student, 1);
  const server = await serving({
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: databaseUrl(test.databaseName),
    SECRET_KEY: test.config.secretKey as string,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'fatal',
  });
  await isTold(1);

  receiver.answer = () => new Promise(() => {});
  const cut = await office.give(student, 2);
  await isTold(2);
  await server.kill();
  receiver.answer = () => 204;
  const later = await office.give(student, 3);
  // Ends the ownership of the killed process now instead of after a minute.
  await test.database.pool.query(`UPDATE webhook SET owned_until = '-infinity'`);
  likeTheProcess();
  await expect
    .poll(async () => {
      await test.app.deliverWebhooks();
      return receiver.told;
    })
    .toEqual([taken, cut, cut, later].map((id) => `score.created ${id}`));
  const [first, before, again] = receiver.got.map(({ id }) => id);
  expect(again).toBe(before);
  expect(before).not.toBe(first);
});
