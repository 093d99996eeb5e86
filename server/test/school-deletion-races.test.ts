import { beforeEach, describe, expect, it } from 'vitest';
import { LockedRows } from './locked-rows.ts';
import { RaceSchool } from './race-school.ts';
import { superAdmin } from './test-app.ts';

let race: RaceSchool;

beforeEach(async () => {
  race = await RaceSchool.open();
});

describe('a school that is deleted while data is created in it', () => {
  it('is deleted completely, and waiting creations get 40301 or 40303', async () => {
    const { school, test, here } = race;
    const admin = await test.signIn();
    const [grade] = school.grades;
    const [place] = grade.classes;
    const held = await LockedRows.ofStudent(test, place.students[0]?.id as number);
    const deletion = admin.delete(`/schools/${school.id}`);
    await held.waitUntilWaiting(1);
    const creations = [
      here.post('/grades', { name: 'Late grade' }),
      here.post('/templates', { name: 'Late template', scoreChange: 1 }),
      here.post('/classes', { gradeId: grade.id, name: 'Late class' }),
    ];
    await held.waitUntilWaiting(4);
    await held.release();
    expect(await deletion).toMatchObject({ status: 200, data: { id: school.id } });
    const codes = (await Promise.all(creations)).map((answer) => answer.code);
    expect(codes).toEqual([40301, 40301, 40303]);
    await race.expectVerifiedLedger();
  });

  it('during the deletion, parallel creations succeed or get 40301, 40303 or 40401, and the ledger stays correct', async () => {
    const { test, here } = race;
    const admin = await test.signIn();
    for (let round = 0; round < 3; round++) {
      const { id, schoolDb } = await admin.created<{ id: number; schoolDb: string }>('/schools', {
        name: race.newName('Doomed'),
      });
      const office = await admin.issue(schoolDb);
      const made = async (path: string, body: object) => {
        return ((await office.post(path, body)).data as { id: number }).id;
      };
      const gradeId = await made('/grades', { name: 'Grade' });
      const classId = await made('/classes', { name: 'Class', gradeId });
      const create = (i: number) => [
        office.post('/grades', { name: `Grade ${i}` }),
        office.post('/classes', { name: `Class ${i}`, gradeId }),
        office.post('/templates', { name: `School-wide ${i}`, scoreChange: 1 }),
        office.post('/templates', { name: `Of the class ${i}`, scoreChange: 1, classId }),
        office.post('/students', { username: `student ${i}`, classId, password: superAdmin.password }),
      ];
      const early = [1, 2, 3].flatMap(create);
      const deletion = admin.delete(`/schools/${id}`);
      const answers = await Promise.all([...early, ...[4, 5, 6].flatMap(create)]);
      expect(await deletion).toMatchObject({ status: 200, data: { id } });
      // 40401: the created thing was deleted before it was read for the answer.
      for (const answer of answers) expect([0, 40301, 40303, 40401]).toContain(answer.code);
    }
    expect((await here.get('/grades')).data).toMatchObject({ total: 2 });
    await race.expectVerifiedLedger();
  });
});
