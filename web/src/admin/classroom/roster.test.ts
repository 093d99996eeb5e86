import type { Student } from '@classledger/contract';
import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { addSavedPoints } from '../outbox/points-entry.ts';
import { newPointsFor, OutboxWorld } from '../outbox/testing/outbox-world.ts';
import { mergeRoster, rosterKey, rosterQuery } from './roster.ts';

const student = (id: number, actualName: string, totalScore: number) =>
  ({ id, actualName, totalScore }) as Student;

it('a fetched class list updates students and names, but keeps totals that unanswered points make uncertain', () => {
  const known = [student(1, 'An', 1), student(2, 'Bo', 2), student(4, 'Di', 4)];
  const answered = [student(1, 'Ann', 10), student(2, 'Bo', 20), student(3, 'Cy', 30)];
  expect(mergeRoster(known, answered, new Set([1, 3, 4]))).toMatchObject([
    { actualName: 'Ann', totalScore: 1 },
    { actualName: 'Bo', totalScore: 20 },
    { actualName: 'Cy', totalScore: 30 },
  ]);
});

it('points given on another page count once when the class list is fetched before them, or before their answer', async () => {
  const world = new OutboxWorld();
  world.totals.set(1, 10);
  const client = new QueryClient();
  const key = rosterKey('school_1', 1);
  client.setQueryData(key, [student(1, 'An', 10)]);
  const answering = Promise.withResolvers<void>();
  const giving = world.open({
    give: async (entry) => {
      const attempt = await world.give(entry);
      await answering.promise;
      return attempt;
    },
  });
  const showing = world.open({}, (saved) =>
    client.setQueryData<readonly Student[]>(key, (known) => known && addSavedPoints(known, saved)),
  );
  const shown = () => client.getQueryData<readonly Student[]>(key)?.[0]?.totalScore;

  giving.queue.give(newPointsFor([1], 2));
  showing.outbox.refresh();
  await client.fetchQuery(
    rosterQuery(client, showing.queue, 'school_1', 1, async () => [
      student(1, 'An', world.totals.get(1) ?? 0),
    ]),
  );
  answering.resolve();
  await world.pass(0);
  expect(giving.queue.entries).toMatchObject([{ state: 'done' }]);
  expect([world.totals.get(1), shown()]).toEqual([12, 12]);

  // A list from before further points does not take them back.
  const early = Promise.withResolvers<Student[]>();
  const fetching = client.fetchQuery(rosterQuery(client, showing.queue, 'school_1', 1, () => early.promise));
  giving.queue.give(newPointsFor([1], 3));
  showing.outbox.refresh();
  await world.pass(0);
  early.resolve([student(1, 'An', 12)]);
  await fetching;
  expect([world.totals.get(1), shown()]).toEqual([15, 15]);
});

it('a class list fetched while the server fails to save points shows new totals plus these points', async () => {
  const world = new OutboxWorld();
  const client = new QueryClient();
  const { queue } = world.open();
  client.setQueryData(rosterKey('school_1', 1), [student(1, 'An', 0), student(2, 'Bo', 0)]);
  world.network = ['broken'];
  queue.give(newPointsFor([1], 2));
  await world.pass(0);
  const ofOthers = [student(1, 'An', 40), student(2, 'Bo', 50)];
  const fetched = await client.fetchQuery(rosterQuery(client, queue, 'school_1', 1, async () => ofOthers));
  expect(queue.entries).toMatchObject([{ state: 'waiting', failures: 1 }]);
  expect(fetched.map(({ id, totalScore }) => totalScore + queue.pendingChange(id))).toEqual([42, 50]);
});
