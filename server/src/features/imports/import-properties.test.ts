import type { ImportRun, ListedStudent } from '@classledger/contract';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { openSchool, startTestApp } from '../../../test/test-app.ts';
import { checkedOutcomes, outcomesOf, TestImports } from '../../../test/test-imports.ts';

const { test, admin, school, office } = await openSchool();
const { schoolDb } = school;
const classes = school.grades.flatMap((grade) => grade.classes);
const [ownClass, otherClass] = school.grades[0].classes;

interface Row {
  readonly externalId: string;
  readonly username?: string;
  readonly cardNumber?: string | null;
  readonly classId?: number;
}

const readStudents = async () => {
  const all = await admin.read<ListedStudent[]>(`/users?schoolDb=${schoolDb}`);
  // The undo changes `updatedAt`, too.
  return all.map(({ updatedAt: _, ...student }) => student);
};
type Student = Awaited<ReturnType<typeof readStudents>>[number];
const findByExternalId = (all: readonly Student[], externalId: string) =>
  all.find((student) => student.externalId === externalId);

let made = 0;
async function enrol(count: number): Promise<Row[]> {
  const round = ++made;
  const rows = Array.from({ length: count }, (_, i) => ({
    ...{ externalId: `e${round}-${i}`, username: `u${round}-${i}`, cardNumber: `c${round}-${i}` },
    classId: i % 2 === 0 ? ownClass.id : otherClass.id,
  }));
  await office.created('/students', { batch: rows });
  return rows;
}

const imports = new TestImports(test, schoolDb, admin);

async function checkAndRun(batch: readonly Row[]) {
  const checked = await imports.check(batch);
  const { id, rows } = await imports.run(batch);
  expect(outcomesOf(rows, await imports.effects(id, '&limit=500'))).toEqual(checkedOutcomes(checked));
  return { id, codes: rows.map(({ code }) => code) };
}

afterAll(() => test.expectVerifiedLedger());

it('without an external id, a username identifies its present holder', async () => {
  const [a, b] = (await enrol(2)) as [Row, Row];
  const before = await readStudents();
  const list = [{ externalId: a.externalId, username: b.username }, { username: a.username }] as Row[];
  expect((await checkAndRun(list)).codes).toEqual([40901, 0]);
  expect(await readStudents()).toEqual(before);
});

it('undoing an import restores exchanged usernames, except those taken since', async () => {
  const [a, b, c] = (await enrol(3)) as [Row, Row, Row];
  const { id } = await checkAndRun([
    { externalId: a.externalId, username: b.username, cardNumber: b.cardNumber },
    { externalId: b.externalId, username: c.username, cardNumber: c.cardNumber },
    { externalId: c.externalId, username: a.username, cardNumber: `${a.cardNumber}x` },
  ] as Row[]);
  const taker = (await enrol(1))[0] as Row;
  const all = await readStudents();
  const { id: takerId } = findByExternalId(all, taker.externalId) as Student;
  await admin.patch(`/users/${takerId}`, { schoolDb, cardNumber: a.cardNumber });
  // The first student's card stays with its new holder, so the changes that depend on it stay too.
  expect(await imports.undo(id)).toMatchObject({ restoredCount: 0, keptCount: 3 });
  const after = await readStudents();
  const shown = [a, b, c].map(({ externalId }) => findByExternalId(after, externalId));
  expect(shown.map((student) => student?.username)).toEqual([a.username, b.username, c.username]);
  expect(shown.slice(0, 2).map((student) => student?.cardNumber)).toEqual([b.cardNumber, c.cardNumber]);
  const kept = (await imports.effects(id)).map((effect) => effect.kept);
  expect(kept).toEqual(Array(3).fill([{ field: 'cardNumber', because: 'taken' }]));
});

it('usernames and card numbers end as the list says where possible, and the undo restores everything', async () => {
  const students = await enrol(9);
  const before = await readStudents();
  const known = before.filter(({ externalId }) => students.some((row) => row.externalId === externalId));
  const username = optional(fc.nat(10));
  const card = fc.option(username, { freq: 9 });
  const rows = fc.array(fc.record({ who: fc.nat(10), username, card }), { maxLength: 11 });
  const row = (who: number, username: number, card?: number | null) => ({ who, username, card });
  const rotated = [row(0, 1, 1), row(1, 2, 2), row(2, 9, 9)];
  const givenToNewcomer = [row(9, 2, 0), row(1, 0, 2), row(0, 1, null), row(2, 10, 1)];
  const lastNameIsTaken = [row(0, 1), row(9, 0), row(1, 2), row(2, 3)];
  const examples = [rotated, rotated.toReversed(), givenToNewcomer, lastNameIsTaken];
  await fc.assert(
    fc.asyncProperty(rows, async (drawn) => {
      const list = rowsOf(drawn, known);
      fc.pre(list.length > 0);
      const possible = findAcceptableRows(list, known);
      const { id, codes } = await checkAndRun(list);
      expect(codes).toEqual(list.map((row) => (possible.has(row) ? 0 : 40901)));
      const after = await readStudents();
      for (const row of possible) expect(findByExternalId(after, row.externalId)).toMatchObject(row);
      const touched = new Set([...possible].map(({ externalId }) => externalId));
      const others = (all: readonly Student[]) =>
        all.filter(({ externalId }) => externalId === null || !touched.has(externalId));
      expect(others(after)).toEqual(others(before));
      expect(await imports.undo(id)).toMatchObject({ keptCount: 0 });
      expect(await readStudents()).toEqual(before);
    }),
    {
      ...{ numRuns: examples.length + 5, seed: 20_261_123, endOnFailure: true },
      examples: examples.map((example): [GeneratedRow[]] => [example]),
    },
  );
});

interface GeneratedRow {
  readonly who: number;
  readonly username: number | undefined;
  readonly card: number | null | undefined;
}

/** A row for no known student creates one. */
function rowsOf(drawn: readonly GeneratedRow[], known: readonly Student[]): Row[] {
  const seen = new Set<string>();
  return drawn.flatMap(({ who, username, card }): Row[] => {
    const student = known[who];
    const name = username === undefined && !student ? `n${who}` : username;
    const values = [`who ${who}`, name !== undefined && `name ${name}`, card != null && `card ${card}`];
    if (values.some((one) => one && seen.has(one))) return [];
    for (const one of values) if (one) seen.add(one);
    const textOf = (index: number | string, field: 'username' | 'cardNumber') =>
      known[index as number]?.[field] ?? `${field}-free-${index}`;
    return [
      {
        externalId: student?.externalId ?? `new-${who}`,
        ...(name !== undefined && { username: textOf(name, 'username') }),
        ...(card !== undefined && { cardNumber: card === null ? null : textOf(card, 'cardNumber') }),
        ...(!student && { classId: ownClass.id }),
      },
    ];
  });
}

/** Returns the rows that can succeed: their values are free, or another such row frees them. */
function findAcceptableRows(list: readonly Row[], known: readonly Student[]): ReadonlySet<Row> {
  const left = new Set(list);
  const isFree = (field: 'username' | 'cardNumber', row: Row) => {
    const holder = known.find((student) => row[field] && student[field] === row[field]);
    if (!holder || holder.externalId === row.externalId) return true;
    const given = [...left].find(({ externalId }) => externalId === holder.externalId)?.[field];
    return given !== undefined && given !== holder[field];
  };
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    for (const row of left) if (!isFree('username', row) || !isFree('cardNumber', row)) left.delete(row);
  }
  return left;
}

/** A value that the row may lack. */
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const row = fc.record({
  username: fc.nat(15),
  externalId: optional(fc.nat(15)),
  cardNumber: optional(fc.nat(15)),
  actualName: optional(fc.constantFrom('张 三', '张三', 'Ann  Lee', 'Ａnn Lee', 'Bo')),
  place: optional(fc.nat(3)),
  disabled: optional(fc.boolean()),
});
const list = fc.record({
  rows: fc.array(row, { minLength: 1, maxLength: 14 }),
  missing: fc.constantFrom('leave' as const, 'disable' as const, 'move' as const),
  /** The class to which the first missing student moves between the check and the run. */
  gap: fc.option(fc.nat(3)),
});
type DrawnRow = typeof row extends fc.Arbitrary<infer R> ? R : never;

const entryOf = ({ username, externalId, cardNumber, actualName, place, disabled }: DrawnRow) => ({
  username: username < 12 ? `s${username}` : `n${username}`,
  ...(externalId !== undefined && { externalId: `e${externalId}` }),
  ...(cardNumber !== undefined && { cardNumber: `c${cardNumber}` }),
  ...(actualName !== undefined && { actualName }),
  ...(disabled !== undefined && { disabled }),
  ...(place !== undefined && { classId: classes[place]?.id as number }),
});
type SentEntry = ReturnType<typeof entryOf>;

/** Drops repeated rows, as the pages do. */
function withoutRepeats(rows: readonly DrawnRow[]): SentEntry[] {
  const seen = new Set<string>();
  return rows.map(entryOf).filter((entry) => {
    const names = [entry.username, entry.externalId ?? '', entry.cardNumber ?? ''].filter(Boolean);
    const isNew = names.every((name) => !seen.has(name));
    for (const name of names) seen.add(name);
    return isNew;
  });
}

const mayChange = ({ action }: { readonly action: string | null }) =>
  action === 'created' || action === 'updated';

it('the import of any list into any school does what the check predicted, changes nothing on repetition, and can be undone completely', async () => {
  await office.post('/scores', { userId: classes[0]?.students[0].id, scoreChange: 3 });
  await fc.assert(
    fc.asyncProperty(list, async ({ rows, missing, gap }) => {
      const entries = withoutRepeats(rows);
      const checked = await imports.check(entries);
      const done = entries.filter((_, i) => checked.details.some((one) => one.index === i && mayChange(one)));
      const named = new Set(entries.map(({ username }) => username));
      const ids = new Set(checked.details.map(({ id }) => id));
      const left = (await readStudents())
        .filter(({ id, username }) => !named.has(username) && !ids.has(id))
        .slice(0, 4);
      const [moved] = left;
      if (moved && gap !== null) {
        const answer = await admin.patch(`/users/${moved.id}`, { schoolDb, classId: classes[gap]?.id });
        expect(answer.status).toBe(200);
      }
      const before = await readStudents();
      const change = missing === 'disable' ? { disabled: true } : { classId: classes[3]?.id };
      const missed = (missing === 'leave' ? [] : left).map(({ id, username, classId: seenClassId }) => ({
        ...{ username, seenUserId: id, seenClassId, missing: true },
        ...change,
      }));
      if (done.length + missed.length === 0) return;
      const { id, rows: results } = await imports.run([...done, ...missed]);
      const found = outcomesOf(results, await imports.effects(id));
      expect(found.slice(0, done.length)).toEqual(checkedOutcomes(checked).filter(mayChange));
      const hasMoved = gap !== null && classes[gap]?.id !== moved?.classId;
      expect(found.slice(done.length).map(({ code }) => code === 0)).toEqual(
        missed.map((_, i) => i > 0 || !hasMoved),
      );
      if (hasMoved && missed.length > 0) {
        const now = (await readStudents()).find(({ id: own }) => own === moved?.id);
        expect(now).toEqual(before.find(({ id: own }) => own === moved?.id));
      }
      if (done.length > 0) {
        const again = await imports.check(done);
        expect(again.details.map(({ action }) => action)).toEqual(done.map(() => 'unchanged'));
      }
      expect(await imports.undo(id)).toMatchObject({ keptCount: 0, state: 'undone' });
      expect(await readStudents()).toEqual(before);
      if (done.length > 0) await imports.run(done);
      await test.expectVerifiedLedger();
    }),
    { numRuns: 5, seed: 20_261_122 },
  );
});

// Comes last, because the other tests compare all students.
it('an import of more rows than a transaction has starts once per key, runs once at two processes, and can rotate numbers', async () => {
  const rows = Array.from({ length: 201 }, (_, n) => ({
    ...{ externalId: `many-${n}`, username: `many-${n}`, cardNumber: `m${n}`, classId: ownClass.id },
  }));
  const key = { 'idempotency-key': 'many' };
  const first = await imports.send(rows, {}, key);
  expect((await imports.send(rows, {}, key)).data).toEqual(first.data);
  const { id: made } = first.data as ImportRun;
  const sibling = await startTestApp({}, { shareDatabaseWith: test });
  await Promise.all([sibling.app.runImports(), test.app.runImports(), sibling.app.runImports()]);
  expect(await imports.read(made)).toMatchObject({ state: 'finished', createdCount: 201, doneCount: 201 });
  expect((await imports.rows(made)).map(({ action }) => action)).toEqual(rows.map(() => 'created'));
  expect(await imports.effects(made, '&limit=500')).toHaveLength(201);

  const before = await readStudents();
  const rotated = rows.map((row, n) => ({ ...row, cardNumber: `m${(n + 1) % rows.length}` }));
  const { id, codes } = await checkAndRun(rotated);
  expect(new Set(codes)).toEqual(new Set([0]));
  const after = await readStudents();
  for (const row of rotated) expect(findByExternalId(after, row.externalId)).toMatchObject(row);
  expect(await imports.undo(id)).toMatchObject({ restoredCount: 201, keptCount: 0 });
  expect(await readStudents()).toEqual(before);
  await test.expectVerifiedLedger();
});
