import { CompiledQuery } from 'kysely';
import { expect, it } from 'vitest';
import { createSampleSchool, openSchool, type SampleStudent } from '../../../test/test-app.ts';
import { verifyLedger, verifyLedgerWithin } from './verify-ledger.ts';

const { test, admin, school, office } = await openSchool();
const second = await createSampleSchool(admin, 'Second School');
for (const day of ['2026-09-14', '2026-09-15']) {
  test.clock.set(`${day}T09:30:00.000Z`);
  const students = school.grades.flatMap((grade) => grade.classes.flatMap((place) => place.students));
  const items = students.flatMap(({ id }) => [5, -2, 0].map((scoreChange) => ({ userId: id, scoreChange })));
  await office.created('/scores', { items });
}

const { id: kind } = await office.created<{ id: number }>('/categories', { code: 'k', name: 'K', colour: 1 });
const [classA] = school.grades[0].classes;
const [anna, ben] = classA.students;
const [outsider] = school.grades[1].classes[0].students;
await office.created('/scores', { userId: outsider.id, scoreChange: 5, categoryId: kind });
const [stranger] = second.grades[0].classes[0].students;
const nameOf = ({ id, username }: SampleStudent) => `student ${id} (${username})`;

/** Returns what the verification finds after these statements, which it then rolls back. */
async function differencesAfter(...damage: [statement: string, ...values: unknown[]][]) {
  const tx = await test.database.db.startTransaction().execute();
  try {
    for (const [statement, ...values] of damage) await tx.executeQuery(CompiledQuery.raw(statement, values));
    return (await verifyLedgerWithin(tx)).differences;
  } finally {
    await tx.rollback().execute();
  }
}

it('verifyLedger counts students and live records of all schools, and finds no difference in a correct ledger', async () => {
  expect(await verifyLedger(test.database.db)).toEqual({ students: 24, records: 73, differences: [] });
});

it('verifyLedger reports every student of every school with wrong totals, with the stored and the recalculated totals', async () => {
  const differences = await differencesAfter(
    ['UPDATE student SET add_score = 11, total_score = 7 WHERE id = $1', anna.id],
    ['UPDATE student SET score_count = 5 WHERE id = $1', ben.id],
    ['UPDATE student SET score_count = 1 WHERE id = $1', stranger.id],
  );
  const proven = 'total 6, added 10, deducted -4, records 6';
  const nothing = 'total 0, added 0, deducted 0';
  expect(differences.filter(({ what }) => what.startsWith('student '))).toEqual([
    { schoolId: school.id, what: nameOf(anna), stored: 'total 7, added 11, deducted -4, records 6', proven },
    { schoolId: school.id, what: nameOf(ben), stored: 'total 6, added 10, deducted -4, records 5', proven },
    {
      ...{ schoolId: second.id, what: nameOf(stranger) },
      ...{ stored: `${nothing}, records 1`, proven: `${nothing}, records 0` },
    },
  ]);
});

const { id } = classA;
const ofClass = `class ${id} (Class A)`;
const [yesterday, today] = [`class ${id} on 2026-09-14`, `class ${id} on 2026-09-15`];
const ofKind = `student ${outsider.id} in category ${kind}`;
const dayOfKind = `class ${school.grades[1].classes[0].id} on 2026-09-15 in category ${kind}`;
const ofToday = "class_id = $1 AND day = '2026-09-15'";

it.each<[statement: string, id: number, found: string[]]>([
  ['UPDATE class SET deduct_score = deduct_score - 1 WHERE id = $1', id, [ofClass]],
  ['UPDATE class SET student_count = student_count + 1 WHERE id = $1', id, [ofClass]],
  ['UPDATE class SET disabled_student_count = 1 WHERE id = $1', id, [ofClass]],
  [`UPDATE class_day SET add_score = add_score + 1 WHERE ${ofToday}`, id, [today]],
  [`DELETE FROM class_day WHERE ${ofToday}`, id, [today]],
  [
    `INSERT INTO class_day (school_id, class_id, day, add_count, deduct_count, record_count, add_score, deduct_score)
     SELECT school_id, id, '2026-01-01', 1, 0, 1, 5, 0 FROM class WHERE id = $1`,
    id,
    [`class ${id} on 2026-01-01`],
  ],
  [
    'DELETE FROM score_record WHERE id = (SELECT min(id) FROM score_record WHERE student_id = $1)',
    anna.id,
    [nameOf(anna), yesterday],
  ],
  [
    'UPDATE score_record SET score_change = 6 WHERE student_id = $1 AND score_change = 5',
    ben.id,
    [nameOf(ben), yesterday, today],
  ],
  ['UPDATE student_category SET add_score = 4 WHERE student_id = $1', outsider.id, [ofKind]],
  ['DELETE FROM student_category WHERE student_id = $1', outsider.id, [ofKind]],
  ['UPDATE class_day_category SET add_count = 2 WHERE category_id = $1', kind, [dayOfKind]],
  ['UPDATE score_record SET category_id = NULL WHERE category_id = $1', kind, [dayOfKind, ofKind]],
])('verifyLedger reports what a change by hand made wrong: %s', async (statement, id, found) => {
  expect((await differencesAfter([statement, id])).map(({ what }) => what)).toEqual(found);
});
