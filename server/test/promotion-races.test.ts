import type { Promotion, PromotionPreview } from '@classledger/contract';
import { expect, it } from 'vitest';
import type { AdminClient } from './identities.ts';
import { RaceSchool, sendWrites } from './race-school.ts';

const planOf = async (admin: AdminClient, schoolDb: string) => {
  const preview = await admin.created<PromotionPreview>('/admin/promotions/preview', { schoolDb });
  const { fingerprint, graduatedGradeName } = preview;
  const classes = preview.classes.map(({ classId, toGradeId, name }) => ({
    classId,
    gradeId: toGradeId,
    name,
  }));
  return { schoolDb, fingerprint, graduatedGradeName, classes };
};

it('a promotion sent to two processes runs once, and totals stay right while scores are written, also during the undo', async () => {
  const race = await RaceSchool.open();
  const { schoolDb, grades } = race.school;
  const admin = await race.test.signIn();
  const elsewhere = await race.other.signIn();
  const students = grades.flatMap(({ classes }) => classes.flatMap((one) => one.students));
  const graduates = new Set(grades[1].classes.flatMap((one) => one.students.map(({ id }) => id)));
  const body = await planOf(admin, schoolDb);

  const concurrentWrites = sendWrites(race.sender(2), students, 60);
  const [one, two] = await Promise.all([
    admin.post('/admin/promotions', body),
    elsewhere.post('/admin/promotions', body),
  ]);
  expect([one.status, two.status].toSorted()).toEqual([200, 409]);
  for (const { code, data } of await Promise.all(concurrentWrites)) {
    const { details } = (data ?? { details: [] }) as {
      details: { code: number; userId: number | null }[];
    };
    for (const detail of details) {
      // An entry that was refused by username has no id here.
      const mayGraduate = detail.userId === null || graduates.has(detail.userId);
      expect(mayGraduate ? [0, 40901] : [0]).toContain(detail.code);
    }
    expect([0, 40901]).toContain(code);
  }
  await race.expectVerifiedLedger();
  const { rows } = await race.test.database.pool.query(
    'SELECT count(*)::int AS enabled FROM student s JOIN class c ON c.id = s.class_id WHERE c.archived AND NOT s.disabled',
  );
  expect(rows).toEqual([{ enabled: 0 }]);

  const { id } = (one.status === 200 ? one : two).data as Promotion;
  race.test.clock.advance(1_000);
  const more = sendWrites(race.sender(2), students, 20);
  const undone = await admin.post(`/admin/promotions/${id}/undo?schoolDb=${schoolDb}`);
  await Promise.all(more);
  expect([200, 409]).toContain(undone.status);
  await race.expectVerifiedLedger();
});
