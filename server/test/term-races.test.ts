import { afterEach, expect, it } from 'vitest';
import type { ExternalAnswer, InternalAnswer } from './identities.ts';
import { LockedRows } from './locked-rows.ts';
import { openRaceSchool } from './race-school.ts';
import type { SampleStudent } from './test-app.ts';

const race = await openRaceSchool();
afterEach(race.expectVerifiedLedger);
const { admin } = race;
const newClass = (students: number, grade: 0 | 1 = 0) =>
  race.newClass(race.school.grades[grade].id, students);

const close = (i: number, classId: number, action = 'archive') =>
  admin(i).post('/admin/term-switch', { schoolDb: race.school.schoolDb, classId, action });

interface Closed {
  readonly term: { readonly id: number; readonly startedAt: string; readonly closedAt: string };
  readonly students: number;
  readonly records: number;
}

type Written = Pick<ExternalAnswer | InternalAnswer, 'status' | 'data'>;

/** Some kind of score write to one or all of these students; every API and form in turn. */
function write(i: number, students: readonly SampleStudent[]): Promise<Written> {
  const { id: userId, username } = students[i % students.length] as SampleStudent;
  const scoreChange = (i % 7) - 3;
  const { schoolDb } = race.school;
  const credential = i % 2 === 0 ? race.here : race.there;
  const items = students.map(({ id }) => ({ userId: id, scoreChange: 1 }));
  switch (i % 5) {
    case 0:
      return credential.post('/scores', { userId, scoreChange });
    case 1:
      return admin(i >> 2).post('/scores/add', { schoolDb, userId, scoreChange });
    case 2:
      return credential.post('/scores', { username, scoreChange });
    case 3:
      return admin(i >> 2).post('/scores/batch', { schoolDb, items });
    default:
      return credential.post('/scores', { items });
  }
}

function recordsOf(answers: readonly Written[]): number[] {
  return answers.flatMap(({ data }) => {
    const result = data as { log?: { id: number }; details?: { logId: number | null }[] } | null;
    if (result?.log) return [result.log.id];
    return (result?.details ?? []).flatMap(({ logId }) => logId ?? []);
  });
}

/**
 * Proves that counts and standings of the classes' terms follow from the records. The count of a closed term stays when a
 * student is deleted, so terms of other tests are left out.
 */
async function expectTermsProven(...classes: readonly { readonly id: number }[]): Promise<void> {
  const rows = await race.test.rows(
    `SELECT m.id, NULL AS student FROM term m
    WHERE m.class_id = ANY($1)
      AND (m.record_count <> (SELECT count(*) FROM score_record r WHERE r.term_id = m.id) OR m.started_at > m.closed_at)
    UNION ALL SELECT m.id, coalesce(k.student_id, l.student_id) AS student
    FROM term_standing k
    FULL JOIN (
      SELECT term_id, student_id, sum(greatest(score_change, 0)) AS added, sum(least(score_change, 0)) AS deducted,
        count(*) AS records
      FROM score_record WHERE term_id IS NOT NULL GROUP BY 1, 2
    ) l ON l.term_id = k.term_id AND l.student_id = k.student_id
    JOIN term m ON m.id = coalesce(k.term_id, l.term_id)
    WHERE m.action = 'archive' AND m.class_id = ANY($1)
      AND (k.add_score, k.deduct_score, k.score_count) IS DISTINCT FROM
        (coalesce(l.added, 0), coalesce(l.deducted, 0), coalesce(l.records, 0))`,
    classes.map(({ id }) => id),
  );
  expect(rows).toEqual([]);
}

/** Returns record ids by term; live records have the key null. */
async function spread(students: readonly SampleStudent[]): Promise<Map<number | null, number[]>> {
  const rows = await race.test.rows(
    'SELECT id, live, term_id FROM score_record WHERE student_id = ANY($1) ORDER BY id',
    students.map(({ id }) => id),
  );
  const terms = new Map<number | null, number[]>();
  for (const { id, live, term_id: term } of rows) {
    expect(live).toBe(term === null);
    terms.set(term, [...(terms.get(term) ?? []), id]);
  }
  return terms;
}

it('term switches while two processes write scores close one term after another, and lose no score', async () => {
  const place = await newClass(3);
  const other = await newClass(1);
  const students = [...place.students, ...other.students];
  const switches: Promise<InternalAnswer>[] = [];
  const answers: Written[] = [];
  let next = 0;
  const writeInTurn = async () => {
    while (next < 120) {
      answers.push(await write(next++, students));
      if (answers.length !== 40 && answers.length !== 80) continue;
      for (let i = 0; i < 4; i++) switches.push(close(i, place.id, i === 3 ? 'reset' : 'archive'));
    }
  };
  await Promise.all(Array.from({ length: 8 }, writeInTurn));
  const closed = await Promise.all(switches);
  for (const { status } of [...answers, ...closed]) expect(status).toBe(200);
  const terms = await spread(place.students);
  for (const { term, records, students } of closed.map(({ data }) => data as Closed)) {
    expect(terms.get(term.id) ?? []).toHaveLength(records);
    expect(students).toBe(3);
  }
  const elsewhere = await spread(other.students);
  expect([...elsewhere.keys()]).toEqual([null]);
  const stored = [...terms.values(), ...elsewhere.values()].flat();
  expect(stored.toSorted((a, b) => a - b)).toEqual(recordsOf(answers).toSorted((a, b) => a - b));
  await expectTermsProven(place, other);
});

it('a term switch includes a student who moves into the class while the switch waits for locks', async () => {
  const [from, to] = [await newClass(1), await newClass(1)];
  const comer = from.students[0];
  const record = await race.newRecord(comer.id);
  const held = await LockedRows.ofClass(race.test, to.id);
  const [moved, answer] = await held.startInOrder(
    () => race.here.patch(`/students/${comer.id}`, { classId: to.id }),
    () => close(1, to.id),
  );
  expect(moved.code).toBe(0);
  expect(answer).toMatchObject({ status: 200, data: { students: 2, records: 1 } });
  expect((await spread([comer])).get((answer.data as Closed).term.id)).toEqual([record]);
  await expectTermsProven(from, to);
});

it('a term switch keeps totals right while students move between two classes whose terms end', async () => {
  const [one, two] = [await newClass(3), await newClass(3, 1)];
  const students = [...one.students, ...two.students];
  const sender = race.sender;
  for (let round = 0; round < 2; round++) {
    const target = (i: number) => ((i + round) % 2 === 0 ? one.id : two.id);
    const answers = await Promise.all([
      ...students.map((_, i) => write(i + round, students)),
      ...students.map(({ id }, i) => sender(i).patch(`/students/${id}`, { classId: target(i) })),
      close(0, one.id),
      close(1, two.id, 'reset'),
      ...students.map((_, i) => write(i, students)),
    ]);
    for (const { status } of answers) expect(status).toBe(200);
  }
  await spread(students);
  await expectTermsProven(one, two);
});

it('a term switch keeps totals right while students are deleted with their records and standings', async () => {
  for (let round = 0; round < 2; round++) {
    const place = await newClass(3);
    const [first, second, third] = place.students as [SampleStudent, SampleStudent, SampleStudent];
    for (const { id } of place.students) await race.newRecord(id);
    const [switched, ...deleted] = await Promise.all([
      close(round, place.id),
      race.here.delete(`/students/${first.id}?confirm=true`),
      race.there.delete(`/students/${second.id}?confirm=true`),
    ]);
    for (const { code } of deleted) expect(code).toBe(0);
    expect(switched.status).toBe(200);
    const { term, records, students } = switched.data as Closed;
    expect(records).toBe(students);
    const { pool } = race.test.database;
    const kept = await pool.query('SELECT student_id AS id FROM term_standing WHERE term_id = $1', [term.id]);
    expect(kept.rows).toEqual([{ id: third.id }]);
    expect([...(await spread([first, second])).keys()]).toEqual([]);
  }
});

it('a term switch leaves a record that is revoked at the same moment revoked, or closed with 40901 for the revocation', async () => {
  const place = await newClass(2);
  for (let round = 0; round < 4; round++) {
    const id = await race.newRecord((place.students[round % 2] as SampleStudent).id);
    const revoke = () => (round % 4 < 2 ? race.here : race.there).delete(`/scores/${id}`);
    const calls = [() => close(round, place.id), revoke];
    const [a, b] = await Promise.all((round % 2 === 0 ? calls : calls.toReversed()).map((call) => call()));
    const revocation = (round % 2 === 0 ? b : a) as ExternalAnswer;
    const rows = await race.test.rows(
      'SELECT revoked_at IS NOT NULL AS revoked, term_id IS NOT NULL AS closed FROM score_record WHERE id = $1',
      id,
    );
    const revoked = revocation.code === 0;
    if (!revoked) expect(revocation.code).toBe(40901);
    expect(rows).toEqual([{ revoked, closed: !revoked }]);
  }
  await expectTermsProven(place);
});

it('a term switch leaves no term behind if its class is deleted at the same moment', async () => {
  const classes: number[] = [];
  for (let round = 0; round < 2; round++) {
    const place = await newClass(2);
    classes.push(place.id);
    await race.newRecord(place.students[0].id);
    const [switched, deleted] = await Promise.all([
      close(round, place.id),
      race.sender(round).delete(`/classes/${place.id}?confirm=true`),
    ]);
    expect(deleted.code).toBe(0);
    expect([200, 404]).toContain(switched.status);
  }
  expect(await race.test.rows('SELECT id FROM term WHERE class_id = ANY($1)', classes)).toEqual([]);
});
