import { beforeEach, describe, expect, it } from 'vitest';
import { createSampleSchool, type SampleSchool, startTestApp, type TestApp } from '../../../test/test-app.ts';
import { verifyLedger } from './verify-ledger.ts';

let test: TestApp;
let school: SampleSchool;

beforeEach(async () => {
  test = await startTestApp();
  school = await createSampleSchool(await test.signIn());
  const by = await school.issue({});
  for (const day of ['2026-09-14', '2026-09-15']) {
    test.clock.set(`${day}T09:30:00.000Z`);
    const items = school.grades.flatMap((grade) =>
      grade.classes.flatMap((place) =>
        place.students.flatMap(({ id }) => [
          { userId: id, scoreChange: 5 },
          { userId: id, scoreChange: -2 },
          { userId: id, scoreChange: 0 },
        ]),
      ),
    );
    await by.post('/scores', { items });
  }
});

const damage = (statement: string, ...values: unknown[]) => test.database.pool.query(statement, values);
const found = async () => (await verifyLedger(test.database.db)).differences;
const named = async () => (await found()).map((difference) => difference.what);

describe('verifyLedger', () => {
  it('counts students and live records, and finds no difference in a correct ledger', async () => {
    expect(await verifyLedger(test.database.db)).toEqual({ students: 12, records: 72, differences: [] });
  });

  it('reports every student with wrong totals, as stored and as proven', async () => {
    const [one, other] = school.grades[0].classes[0].students as [
      { id: number; username: string },
      { id: number; username: string },
    ];
    await damage('UPDATE student SET add_score = 11, total_score = 7 WHERE id = $1', one.id);
    await damage('UPDATE student SET score_count = 5 WHERE id = $1', other.id);
    const differences = await found();
    expect(differences).toContainEqual({
      schoolId: school.id,
      what: `student ${one.id} (${one.username})`,
      stored: 'total 7, added 11, deducted -4, records 6',
      proven: 'total 6, added 10, deducted -4, records 6',
    });
    expect(differences).toContainEqual({
      schoolId: school.id,
      what: `student ${other.id} (${other.username})`,
      stored: 'total 6, added 10, deducted -4, records 5',
      proven: 'total 6, added 10, deducted -4, records 6',
    });
    expect(differences.filter(({ what }) => what.startsWith('student '))).toHaveLength(2);
  });

  it('reports every class with wrong sums or head counts', async () => {
    const [one, other] = school.grades[1].classes;
    const third = school.grades[0].classes[0];
    await damage('UPDATE class SET deduct_score = deduct_score - 1 WHERE id = $1', one.id);
    await damage('UPDATE class SET student_count = student_count + 1 WHERE id = $1', other.id);
    await damage('UPDATE class SET disabled_student_count = 1 WHERE id = $1', third.id);
    expect((await named()).toSorted()).toEqual(
      [`class ${third.id} (Class A)`, `class ${one.id} (Class A)`, `class ${other.id} (Class B)`].toSorted(),
    );
  });

  it('reports every day of a class with wrong, missing or leftover sums', async () => {
    const [one, other] = school.grades[0].classes;
    const third = school.grades[1].classes[0];
    await damage(
      "UPDATE class_day SET add_score = add_score + 1 WHERE class_id = $1 AND day = '2026-09-14'",
      one.id,
    );
    await damage("DELETE FROM class_day WHERE class_id = $1 AND day = '2026-09-15'", other.id);
    await damage(
      `INSERT INTO class_day (school_id, class_id, day, add_count, deduct_count, record_count, add_score, deduct_score)
       VALUES ($1, $2, '2026-01-01', 1, 0, 1, 5, 0)`,
      school.id,
      third.id,
    );
    expect((await named()).toSorted()).toEqual(
      [
        `class ${one.id} on 2026-09-14`,
        `class ${other.id} on 2026-09-15`,
        `class ${third.id} on 2026-01-01`,
      ].toSorted(),
    );
  });

  it('detects a record that was deleted or inserted in the database', async () => {
    const student = school.grades[1].classes[1].students[0] as { id: number; username: string };
    const mate = school.grades[1].classes[1].students[1] as { id: number; username: string };
    await damage(
      'DELETE FROM score_record WHERE id = (SELECT min(id) FROM score_record WHERE student_id = $1)',
      student.id,
    );
    await damage(
      'UPDATE score_record SET score_change = 6 WHERE student_id = $1 AND score_change = 5',
      mate.id,
    );
    expect(await named()).toEqual(
      expect.arrayContaining([
        `student ${student.id} (${student.username})`,
        `student ${mate.id} (${mate.username})`,
        `class ${school.grades[1].classes[1].id} on 2026-09-14`,
        `class ${school.grades[1].classes[1].id} on 2026-09-15`,
      ]),
    );
  });

  it('checks every school', async () => {
    const second = await createSampleSchool(await test.signIn(), 'Second School');
    const student = second.grades[0].classes[0].students[0] as { id: number };
    await damage('UPDATE student SET score_count = 1 WHERE id = $1', student.id);
    await damage('UPDATE class SET record_count = 1000 WHERE id = $1', school.grades[0].classes[0].id);
    const schools = new Set((await found()).map((difference) => difference.schoolId));
    expect(schools).toEqual(new Set([school.id, second.id]));
  });
});
