import { beforeAll, describe, expect, it } from 'vitest';
import type { CredentialClient } from '../../../test/identities.ts';
import { createSampleSchool, type SampleSchool, startTestApp, type TestApp } from '../../../test/test-app.ts';
import { verifyLedger } from './verify-ledger.ts';

describe('scores at the external door', () => {
  let test: TestApp;
  let school: SampleSchool;
  let office: CredentialClient;

  beforeAll(async () => {
    test = await startTestApp();
    school = await createSampleSchool(await test.signIn());
    office = await school.issue({});
  });

  it('writes one score, moves the totals and lists the record', async () => {
    const [student] = school.grades[0].classes[0].students;
    const written = await office.post('/scores', {
      userId: student?.id,
      scoreChange: 5,
      description: 'Homework',
    });
    expect(written).toMatchObject({
      status: 200,
      code: 0,
      data: { successCount: 1, failedCount: 0, totalCount: 1 },
    });
    const read = await office.get(`/students/${student?.id}`);
    expect(read.data).toMatchObject({ totalScore: 5, addScore: 5, deductScore: 0, scoreCount: 1 });
    expect((await office.get('/scores')).data).toMatchObject({ total: 1, list: [{ scoreChange: 5 }] });
    expect((await office.get('/stats/overview')).data).toMatchObject({
      scores: { recordCount: 1, todayRecordCount: 1 },
    });
    expect((await office.get('/ping')).data).toMatchObject({ token: { callCount: 4 } });
    expect((await verifyLedger(test.database.db)).differences).toEqual([]);
  });
});
