import type { Student } from '@classledger/contract';
import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { addSavedPoints } from '../taps/get-scoring-queue.ts';
import { TapWorld, tapOf } from '../taps/testing/tap-world.ts';
import { mergeRoster, rosterKey, rosterQuery } from './roster.ts';

const student = (id: number, actualName: string, totalScore: number) =>
  ({ id, actualName, totalScore }) as Student;

it('a fetched roster updates members and names, but keeps totals that are unclear', () => {
  const known = [student(1, 'An', 1), student(2, 'Bo', 2), student(4, 'Di', 4)];
  const answered = [student(1, 'Ann', 10), student(2, 'Bo', 20), student(3, 'Cy', 30)];
  expect(mergeRoster(known, answered, new Set([1, 3, 4]))).toMatchObject([
    { actualName: 'Ann', totalScore: 1 },
    { actualName: 'Bo', totalScore: 20 },
    { actualName: 'Cy', totalScore: 30 },
  ]);
});

it('a tap of another page counts once when the roster was fetched before its answer', async () => {
  const world = new TapWorld();
  world.totals.set(1, 10);
  const client = new QueryClient();
  const key = rosterKey('school_1', 1);
  client.setQueryData(key, [student(1, 'An', 10)]);
  // Each page leaves the taps of the other alone.
  const openPages = async () => null;
  const answering = Promise.withResolvers<void>();
  const giving = world.open({
    openPages,
    send: async (tap) => {
      const attempt = await world.send(tap);
      await answering.promise;
      return attempt;
    },
  });
  const showing = world.open({
    openPages,
    onSaved: (saved) =>
      client.setQueryData<readonly Student[]>(key, (known) => known && addSavedPoints(known, saved)),
  });
  const shown = () => client.getQueryData<readonly Student[]>(key)?.[0]?.totalScore;

  giving.give(tapOf([1], 2));
  await showing.refresh();
  await client.fetchQuery(
    rosterQuery(client, showing, 'school_1', 1, async () => [student(1, 'An', world.totals.get(1) ?? 0)]),
  );
  answering.resolve();
  await world.run();
  expect(giving.taps).toMatchObject([{ state: 'done' }]);
  await showing.refresh();
  expect([world.totals.get(1), shown()]).toEqual([12, 12]);
});
