import { expect, it } from 'vitest';
import { SchoolData } from '../src/access/school-data.ts';
import { changeStudent } from '../src/features/students/change-student.ts';
import { CopyByChanges } from './copy-by-changes.ts';
import type { CredentialClient } from './identities.ts';
import { openRaceSchool } from './race-school.ts';
import { randomFrom, testSeed } from './random.ts';

const writers = 8;
const givesAtOnce = 50;
const records = Number(process.env.CHANGES_RECORDS ?? 2_000);

type Known = Record<'students' | 'records' | 'templates' | 'classes' | 'spare', number[]>;
type Random = <T>(some: readonly T[]) => T;

const race = await openRaceSchool();

/** Makes one random write that gives no points. */
async function other(client: CredentialClient, known: Known, pick: Random, name: string): Promise<void> {
  const { schoolDb, grades } = race.school;
  const gradeId = pick(grades).id;
  const [student, classId] = [pick(known.students), pick(known.classes)];
  const added = async (path: string, body: object, list: number[]) => {
    const { code, data } = await client.post(path, body);
    if (code === 0) list.push((data as { id: number }).id);
  };
  const kinds: readonly (() => Promise<unknown>)[] = [
    () => client.delete(`/scores/${pick(known.records)}`),
    () => client.delete(`/scores/${pick(known.records)}`),
    () => client.patch(`/students/${student}`, { classId }),
    () => client.patch(`/students/${student}`, { classId, actualName: name }),
    () => client.patch(`/students/${student}`, { disabled: name.length % 2 === 0, externalId: name }),
    () => client.delete(`/students/${student}?confirm=true`),
    () => added('/students', { username: name, password: 'secret-password', classId }, known.students),
    () => client.put('/students/batch', { batch: [{ externalId: name, username: name, classId }] }),
    () => client.patch(`/classes/${classId}`, { name }),
    () => client.patch(`/classes/${classId}`, { gradeId }),
    () => client.patch(`/grades/${gradeId}`, { name }),
    () => added('/classes', { name, gradeId }, known.spare),
    () => client.patch(`/students/${student}`, { classId: pick([classId, ...known.spare]) }),
    () => client.delete(`/classes/${pick([0, ...known.spare])}?confirm=true`),
    () => added('/templates', { name, scoreChange: 1, classId: pick([classId, undefined]) }, known.templates),
    () => client.patch(`/templates/${pick([0, ...known.templates])}`, { name }),
    () => client.delete(`/templates/${pick([0, ...known.templates])}`),
    () => race.admin(0).post('/admin/term-switch', { schoolDb, classId, action: 'reset' }),
  ];
  await pick(kinds)();
}

async function write(client: CredentialClient, known: Known, random: () => number, name: string) {
  const pick: Random = (some) => some[Math.floor(random() * some.length)] as (typeof some)[number];
  const items = Array.from({ length: givesAtOnce }, () => ({ userId: pick(known.students) }));
  const { data } = await client.post('/scores', { scoreChange: 1, items });
  // A full server writes nothing.
  for (const { logId } of (data as { details: { logId: number | null }[] } | null)?.details ?? []) {
    if (logId !== null) known.records.push(logId);
  }
  await other(client, known, pick, name);
}

/** Moves a student in a transaction that stays open until the returned function is called. */
async function openMove(id: number, classId: number) {
  const range = { schoolId: race.school.id, gradeId: null, classId: null };
  const data = new SchoolData(race.test.database.db, range);
  const { promise, resolve } = Promise.withResolvers<void>();
  const moved = Promise.withResolvers<void>();
  const done = data.transaction(async (own) => {
    await changeStudent(own, id, { classId }, new Date());
    moved.resolve();
    await promise;
  });
  await moved.promise;
  return async () => {
    resolve();
    await done;
  };
}

it(`readers of the change feed see every committed change without a gap, also while other transactions are open (TEST_SEED=${testSeed})`, async () => {
  const { school } = race;
  const classes = school.grades.flatMap((grade) => [...grade.classes]);
  const known: Known = {
    students: classes.flatMap(({ students }) => students.map(({ id }) => id)),
    records: [],
    templates: [],
    classes: classes.map(({ id }) => id),
    spare: [],
  };
  const [first, second] = school.grades[0].classes;
  const { id: held } = await race.newStudent(first.id);
  const scopes = [
    {},
    { scopeType: 'grade', scopeGradeId: school.grades[0].id },
    { scopeType: 'class', scopeClassId: first.id },
  ] as const;
  const clients = await Promise.all(scopes.map((scope) => school.issue(scope)));
  const [office, gradeHead, teacher] = clients as [CredentialClient, CredentialClient, CredentialClient];
  const copies = await Promise.all([
    new CopyByChanges(office, 200).begin(),
    new CopyByChanges(race.other.with(gradeHead), 40).begin(),
    new CopyByChanges(teacher, 30).begin(),
  ]);
  let isOver = false;
  const following = copies.map(async (copy) => {
    while (!isOver) await copy.readNextPage();
  });
  let left = Math.ceil(records / givesAtOnce);
  const writing = Array.from({ length: writers }, async (_, i) => {
    const random = randomFrom(testSeed + i);
    while (left-- > 0) await write(i % 2 === 0 ? race.here : race.there, known, random, `w${i} ${left}`);
  });
  const closers = [];
  // The move waits for no gift of points; gifts to its classes wait for the move.
  for (const classId of [second.id, first.id]) {
    const close = await openMove(held, classId);
    await Promise.all(copies.map((copy) => copy.readNextPage()));
    closers.push(close());
  }
  await Promise.all([...closers, ...writing]);
  isOver = true;
  await Promise.all(following);
  for (const copy of copies) await copy.expectEqualToLists();
  expect(known.records.length).toBeGreaterThan(records / 4);
  await race.test.expectVerifiedLedger();
});
