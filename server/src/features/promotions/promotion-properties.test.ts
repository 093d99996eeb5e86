import type { Promotion, PromotionPreview } from '@classledger/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testSeed } from '../../../test/random.ts';
import { createSampleSchool, startTestApp } from '../../../test/test-app.ts';

const test = await startTestApp();

/** Generates a grade that may have a next grade, and its classes: the number of students, and how many of them left. */
const grade = fc.record({
  name: fc.constantFrom('Grade 1', 'Grade 2', 'Grade 3', '七年级', '八年级', '初三', '2023级', 'Beginners'),
  classes: fc.array(fc.record({ students: fc.nat(2), left: fc.nat(1), points: fc.nat(5) }), { maxLength: 3 }),
});
const choice = fc.record({
  isProposed: fc.boolean(),
  to: fc.nat(9),
  graduates: fc.boolean(),
  name: fc.constantFrom('as it is', 'Class 1', 'Class 2', 'another'),
});

interface School {
  readonly id: number;
  readonly schoolDb: string;
}

async function readState({ id }: School) {
  const { rows: students } = await test.database.pool.query(
    `SELECT id, class_id, disabled, disabled_at, total_score FROM student WHERE school_id = $1 ORDER BY id`,
    [id],
  );
  const { rows: classes } = await test.database.pool.query(
    `SELECT id, grade_id, name, archived, student_count, disabled_student_count, add_score FROM class
     WHERE school_id = $1 ORDER BY id`,
    [id],
  );
  const { rows: grades } = await test.database.pool.query(
    'SELECT id, name, archived_at FROM grade WHERE school_id = $1 ORDER BY id',
    [id],
  );
  return { students, classes, grades };
}

it('a promotion moves every class by its plan and loses nobody, and its undo restores everything', async () => {
  const admin = await test.signIn();
  const { issue: _, ...sample } = await createSampleSchool(admin, 'Beside it');
  const beside = await readState(sample);
  const school = async (grades: readonly (typeof grade extends fc.Arbitrary<infer T> ? T : never)[]) => {
    const made = await admin.created<School>('/schools', { name: 'Any school' });
    const office = await admin.issue(made.schoolDb);
    for (const { name, classes } of grades) {
      const { id: gradeId } = (await office.post('/grades', { name })).data as { id: number };
      for (const [i, { students, left, points }] of classes.entries()) {
        const { id: classId } = (await office.post('/classes', { gradeId, name: `Class ${i + 1}` })).data as {
          id: number;
        };
        for (let n = 0; n < students; n++) {
          const username = `${gradeId} ${classId} ${n}`;
          const student = (await office.post('/students', { classId, username, password: 'secret-password' }))
            .data as { id: number };
          await office.give(student.id, points);
          if (n < left) await office.patch(`/students/${student.id}`, { disabled: true });
        }
      }
    }
    return made;
  };
  const schools = fc.uniqueArray(grade, { selector: ({ name }) => name, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(schools, fc.array(choice, { minLength: 12, maxLength: 12 }), async (grades, choices) => {
      await admin.confirm();
      const own = await school(grades);
      const { schoolDb } = own;
      const before = await readState(own);
      const proposal = await admin.created<PromotionPreview>('/admin/promotions/preview', { schoolDb });
      const classes = proposal.classes.map(({ classId, className, toGradeId, name }, i) => {
        const { isProposed, to, graduates, name: wanted } = choices[i] as (typeof choices)[number];
        if (isProposed) return { classId, gradeId: toGradeId, name };
        const gradeId = graduates ? null : (before.grades[to % before.grades.length]?.id as number);
        return { classId, gradeId, name: wanted === 'as it is' ? className : wanted };
      });
      const { fingerprint, graduatedGradeName } = proposal;
      const plan = { classes, graduatedGradeName };
      const preview = await admin.created<PromotionPreview>('/admin/promotions/preview', { schoolDb, plan });
      const answer = await admin.post('/admin/promotions', { schoolDb, fingerprint, ...plan });
      const changes = classes.some(({ classId, gradeId, name }) => {
        const found = before.classes.find(({ id }) => id === classId);
        return found?.grade_id !== gradeId || found?.name !== name;
      });
      expect(answer.status, answer.message).toBe(preview.problems.length === 0 && changes ? 200 : 409);
      if (answer.status !== 200) {
        expect(await readState(own)).toEqual(before);
        return;
      }
      const promotion = answer.data as Promotion;
      const after = await readState(own);
      expect(after.students.map(({ id, class_id, total_score }) => [id, class_id, total_score])).toEqual(
        before.students.map(({ id, class_id, total_score }) => [id, class_id, total_score]),
      );
      for (const { id, grade_id, name, archived } of after.classes) {
        const planned = classes.find(({ classId }) => classId === id);
        expect([grade_id, name, archived]).toEqual([
          planned?.gradeId ?? promotion.graduated?.gradeId,
          planned?.name,
          planned?.gradeId === null,
        ]);
      }
      await test.expectProven();
      const undone = await admin.post(`/admin/promotions/${promotion.id}/undo?schoolDb=${schoolDb}`);
      expect(undone.status, undone.message).toBe(200);
      expect(await readState(own)).toEqual(before);
      await test.expectProven();
    }),
    { seed: testSeed, numRuns: 8 },
  );
  expect(await readState(sample)).toEqual(beside);
});
