import type { BulkScores } from '@classledger/contract';
import { expect, it } from 'vitest';
import { createSampleSchool, startTestApp } from './test-app.ts';
import { withClient } from './with-client.ts';

const test = await startTestApp();
const school = await createSampleSchool(await test.signIn(), 'Large School');
const office = await school.issue({});
const students = school.grades.flatMap(({ classes }) => classes.flatMap((each) => each.students));
const [early, late, ...others] = students.map(({ id }) => id) as [number, number, ...number[]];

const refusals = `
  CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
  CREATE TRIGGER early BEFORE INSERT ON score_record FOR EACH ROW
    WHEN (new.student_id = ${early}) EXECUTE FUNCTION refuse();
  CREATE CONSTRAINT TRIGGER late AFTER INSERT ON score_record DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (new.student_id = ${late}) EXECUTE FUNCTION refuse()`;

const writers = 16;
const writesEach = 20;

it('a score write that fails at INSERT or COMMIT makes no other write fail, although the next batch was already sent, and its key can be repeated', async () => {
  const answered = new Map<string, { userId: number; status: number; logId: number | null | undefined }>();
  const send = (i: number) => {
    const name = `n${i}`;
    const userId = i % 37 === 5 ? early : i % 41 === 7 ? late : (others[i % others.length] as number);
    const key: Record<string, string> = i % 3 === 0 ? { 'idempotency-key': name } : {};
    return {
      name,
      userId,
      answer: office.post('/scores', { userId, scoreChange: 1, description: name }, key),
    };
  };
  const write = async (i: number) => {
    const { name, userId, answer } = send(i);
    const { status, data } = await answer;
    answered.set(name, { userId, status, logId: (data as Partial<BulkScores>)?.details?.[0]?.logId });
  };
  await withClient(test.databaseTarget, async (client) => {
    await client.query(refusals);
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        for (let i = 0; i < writesEach; i++) await write(i * writers + writer);
      }),
    );
    const { rows } = await client.query<{ name: string; ids: string[] }>(
      'SELECT description AS name, array_agg(id) AS ids FROM score_record GROUP BY 1',
    );
    const written = new Map(rows.map(({ name, ids }) => [name, ids.map(Number)]));
    for (const [name, { userId, status, logId }] of answered) {
      const isRefused = userId === early || userId === late;
      expect([name, status, written.get(name)]).toEqual(
        isRefused ? [name, 500, undefined] : [name, 200, [logId]],
      );
    }
    // A failure does not use up the key: the repeated request succeeds once the cause is gone.
    await client.query('DROP TRIGGER early ON score_record; DROP TRIGGER late ON score_record');
    for (let i = 0; i < writers * writesEach; i += 3) {
      const { userId, answer } = send(i);
      const { status, headers } = await answer;
      const isNew = userId === early || userId === late;
      expect([status, headers['idempotency-replayed']]).toEqual([200, isNew ? undefined : 'true']);
    }
  });
  expect(answered.size).toBe(writers * writesEach);
  await test.expectVerifiedLedger();
});
