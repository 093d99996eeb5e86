import type { BulkScores, ScoreRecord } from '@classledger/contract';
import { expect, it } from 'vitest';
import { type CredentialClient, credentialClient, type ExternalAnswer } from '../../../test/identities.ts';
import { createSampleSchool, type SampleSchool, startTestApp } from '../../../test/test-app.ts';

const test = await startTestApp();
const other = await startTestApp({}, { shareDatabaseWith: test });

const detailsOf = (answer: ExternalAnswer) => (answer.data as BulkScores).details;

async function newSchool(name: string): Promise<{ school: SampleSchool; by: CredentialClient }> {
  const school = await createSampleSchool(await test.signIn(), name);
  return { school, by: await school.issue({}) };
}

async function allRecords(by: CredentialClient): Promise<Map<number, ScoreRecord>> {
  const found = new Map<number, ScoreRecord>();
  for (let page = 1; page <= 1_000; page++) {
    const { data } = await by.get(`/scores?sortBy=id&order=asc&limit=100&page=${page}`);
    const { list } = data as { list: ScoreRecord[] };
    for (const entry of list) found.set(entry.id, entry);
    if (list.length < 100) return found;
  }
  throw new Error('The list of records does not end');
}

it('parallel writes to one student add up, single and in batches, from two processes', async () => {
  const { school, by } = await newSchool('Adding up');
  const there = credentialClient(other.app.http, by.token, by.id);
  const [student, mate] = school.grades[0].classes[0].students;
  const userId = student?.id as number;
  const writes = Array.from({ length: 120 }, (_, i) => {
    const sender = i % 2 === 0 ? by : there;
    const change = (i % 7) - 3;
    if (i % 4 !== 0) return sender.post('/scores', { userId, scoreChange: change });
    const items = [
      { userId, scoreChange: change },
      { username: student?.username, scoreChange: 2 },
      { userId, username: student?.username, scoreChange: -5 },
      { userId: mate?.id, scoreChange: 1 },
    ];
    return sender.post('/scores', { items });
  });
  const answers = await Promise.all(writes);
  expect(answers.every((answer) => answer.status === 200)).toBe(true);

  const written = answers.flatMap(detailsOf).filter((detail) => detail.userId === userId);
  expect(written).toHaveLength(90 + 30 * 3);
  const changes = written.map((detail) => detail.scoreChange as number);
  const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
  expect((await by.get(`/students/${userId}`)).data).toMatchObject({
    totalScore: sum(changes),
    addScore: sum(changes.filter((change) => change > 0)),
    deductScore: sum(changes.filter((change) => change < 0)),
    scoreCount: changes.length,
  });
  expect(new Set(written.map((detail) => detail.logId)).size).toBe(written.length);
  await test.expectVerifiedLedger();
});

it('writes that share a transaction each get the ids of their own records, in order, and never another school’s', async () => {
  const schools = [await newSchool('North'), await newSchool('South')];
  const sent = schools.flatMap(({ school, by }, s) => {
    const there = credentialClient(other.app.http, by.token, by.id);
    const students = school.grades.flatMap((grade) => grade.classes.flatMap((place) => place.students));
    return Array.from({ length: 40 }, (_, i) => {
      const items = Array.from({ length: (i % 5) + 1 }, (_, j) => ({
        userId: (students[(i * 5 + j * 3) % students.length] as { id: number }).id,
        scoreChange: ((i * 31 + j * 7) % 200) - 100,
        description: `school ${s}, request ${i}, entry ${j}`,
      }));
      const sender = i % 2 === 0 ? by : there;
      const [only] = items;
      const answer = i % 5 === 0 ? sender.post('/scores', only) : sender.post('/scores', { items });
      return { s, items, answer };
    });
  });
  const settled = await Promise.all(sent.map(async (one) => ({ ...one, answer: await one.answer })));

  const records = await Promise.all(schools.map(({ by }) => allRecords(by)));
  for (const { s, items, answer } of settled) {
    const details = detailsOf(answer);
    expect(details).toHaveLength(items.length);
    for (const [j, item] of items.entries()) {
      expect(details[j]).toMatchObject({ index: j, success: true, code: 0, userId: item.userId });
      expect(records[s]?.get(details[j]?.logId as number)).toMatchObject(item);
    }
    const ids = details.map((detail) => detail.logId as number);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  }
  for (const [s, found] of records.entries()) {
    const expected = settled.filter((one) => one.s === s).flatMap((one) => one.items).length;
    expect(found.size).toBe(expected);
  }
  await test.expectVerifiedLedger();
});
