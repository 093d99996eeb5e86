import type { Picks, StudentExport } from '@classledger/contract';
import { afterAll, expect, it } from 'vitest';
import { openStaffWorld } from '../../../test/administrators.ts';
import type { AdminClient } from '../../../test/identities.ts';

const world = await openStaffWorld();
const { school, test } = world;
const { schoolDb } = school;
const { ofSchool: head, ofClass: teacher } = world.staff;
const { first, second } = world.places;
const [anna, ben, cem] = first.students.map(({ id }) => id) as [number, number, number];
const day = () => test.clock.now().toISOString().slice(0, 10);

afterAll(() => test.expectVerifiedLedger());

const readPicks = (by: AdminClient = head) =>
  by.read<Picks>(`/picks?schoolDb=${schoolDb}&classId=${first.id}`);
const putPicks = (by: AdminClient, userIds: number[], more = {}, headers = {}) =>
  by.put('/picks', { schoolDb, classId: first.id, day: day(), userIds, ...more }, headers);

it('the picked students are the same for all callers, until reset or the next school day', async () => {
  expect(await readPicks()).toEqual({ classId: first.id, day: day(), userIds: [] });
  await Promise.all([putPicks(teacher, [anna]), putPicks(head, [ben])]);
  expect((await readPicks(teacher)).userIds).toEqual([anna, ben].toSorted((a, b) => a - b));
  const { data } = await putPicks(head, [cem], { againIds: [anna, ben, cem] });
  expect((data as Picks).userIds).toEqual([cem]);
  await world.nextDay();
  expect(await readPicks()).toEqual({ classId: first.id, day: day(), userIds: [] });
});

it('a pick with a repeated idempotency key counts once, and a pick for a past day does not count', async () => {
  const key = { 'idempotency-key': 'picked without a network' };
  await putPicks(teacher, [anna], {}, key);
  await putPicks(head, [], { againIds: [anna] });
  await putPicks(teacher, [anna], {}, key);
  expect((await readPicks()).userIds).toEqual([]);
  const yesterday = new Date(test.clock.now().getTime() - 86_400_000).toISOString().slice(0, 10);
  await putPicks(head, [ben]);
  const late = await putPicks(teacher, [ben], { day: yesterday });
  expect(late.data).toEqual({ classId: first.id, day: day(), userIds: [ben] });
  await putPicks(head, [], { againIds: [ben] });
});

it('picking a student of another class has no effect', async () => {
  const stranger = second.students[0]?.id as number;
  await putPicks(head, [stranger, anna]);
  expect((await readPicks()).userIds).toEqual([anna]);
  const theirs = await head.get(`/picks?schoolDb=${schoolDb}&classId=${second.id}`);
  expect((theirs.data as Picks).userIds).toEqual([]);
});

it('the export of a student contains the pick, and the erasure removes it', async () => {
  await head.confirm();
  const key = { 'idempotency-key': 'picked before the erasure' };
  const said = (await putPicks(teacher, [cem, ben], { againIds: [anna] }, key)).data as Picks;
  expect(said.userIds).toEqual([ben, cem].toSorted((a, b) => a - b));
  const exported = () => head.created<StudentExport>(`/users/${cem}/export`, { schoolDb });
  expect((await exported()).account.pickedOn).toBe(day());
  await head.post(`/users/${cem}/erase`, { schoolDb });
  await putPicks(teacher, [cem]);
  expect((await exported()).account.pickedOn).toBeNull();
  expect((await readPicks()).userIds).not.toContain(cem);
  const stored =
    "SELECT convert_from(answer, 'UTF8')::jsonb -> 'userIds' AS ids FROM idempotency_key WHERE key = $1";
  const { rows } = await test.database.pool.query(stored, [key['idempotency-key']]);
  expect(rows).toEqual([{ ids: [ben] }]);
  expect(((await putPicks(teacher, [cem, ben], {}, key)).data as Picks).userIds).toEqual([ben]);
});
