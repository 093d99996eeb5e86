import { describe, expect, it } from 'vitest';
import { openSchool } from '../../test/test-app.ts';

const keyed = (key: string) => ({ 'idempotency-key': key });
const writesPerMinute = 8;

const { test, admin, school, office } = await openSchool({
  RATE_LIMIT_WRITE_PER_MINUTE: String(writesPerMinute),
  IDEMPOTENCY_RETENTION_HOURS: '48',
  IDEMPOTENCY_KEY_MAX_LENGTH: '200',
});
const userId = school.grades[0].classes[0].students[0]?.id as number;
const classId = school.grades[0].classes[0].id;

async function scoreCount(): Promise<number> {
  return ((await office.get(`/students/${userId}`)).data as { scoreCount: number }).scoreCount;
}

describe('Replay', () => {
  it('a replay counts towards the rate limit like any request, and gets 42901 when the limit is reached', async () => {
    const by = await school.issue({});
    const body = { userId, scoreChange: 1 };
    const before = await scoreCount();
    const left: number[] = [];
    for (let i = 0; i < writesPerMinute; i++) {
      const answer = await by.post('/scores', body, keyed('quota'));
      expect(answer.status).toBe(200);
      left.push(Number(answer.headers['x-ratelimit-remaining']));
    }
    expect(left).toEqual(Array.from({ length: writesPerMinute }, (_, i) => writesPerMinute - 1 - i));
    const refused = await by.post('/scores', body, keyed('quota'));
    expect(refused).toMatchObject({ status: 429, code: 42901 });
    expect(refused.headers['idempotency-replayed']).toBeUndefined();
    expect(await by.post('/scores', body, keyed('unused by a refusal'))).toMatchObject({ code: 42901 });

    test.clock.advance(60_000);
    const replayed = await by.post('/scores', body, keyed('quota'));
    expect(replayed.headers['idempotency-replayed']).toBe('true');
    const first = await by.post('/scores', body, keyed('unused by a refusal'));
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(first.code).toBe(0);
    expect(await scoreCount()).toBe(before + 2);
  });

  it('a replay is audited with its own request id, as is a 40901 for a key of another endpoint', async () => {
    const by = await school.issue({});
    const body = { userId, scoreChange: 1 };
    const answers = [
      await by.post('/scores', body, keyed('audited')),
      await by.post('/scores', body, keyed('audited')),
      await by.post('/students', { username: 'audited', classId }, keyed('audited')),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 409]);
    const { data } = await admin.get(`/api-tokens/logs?tokenId=${by.id}`);
    expect((data as { list: object[] }).list.toReversed()).toMatchObject([
      { requestId: answers[0]?.requestId, statusCode: 200, path: '/api/v1/scores' },
      { requestId: answers[1]?.requestId, statusCode: 200, path: '/api/v1/scores' },
      { requestId: answers[2]?.requestId, statusCode: 409, path: '/api/v1/students' },
    ]);
  });
});

describe('Stored answer', () => {
  it('a stored answer is encrypted, each in another way, and no table contains the initial password', async () => {
    const by = await school.issue({});
    const body = { classId, batch: [{ username: 'sealed' }] };
    const made = await by.post('/students', body, keyed('sealed'));
    const { details } = made.data as { details: { id: number; initialPassword: string }[] };
    const secret = details[0]?.initialPassword as string;
    expect(secret.length).toBeGreaterThanOrEqual(6);

    const { rows } = await test.database.pool.query(
      "SELECT answer FROM idempotency_key WHERE key = 'sealed'",
    );
    const answer = rows[0].answer as Buffer;
    for (const text of [secret, 'initialPassword', 'successCount', 'sealed', by.token]) {
      const forms = [Buffer.from(text), Buffer.from(text, 'utf16le'), Buffer.from(btoa(text).slice(0, -2))];
      expect(forms.filter((form) => answer.includes(form))).toEqual([]);
    }
    const tables = await test.database.pool.query(
      "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    for (const { name } of tables.rows) {
      const found = await test.database.pool.query(
        `SELECT 1 FROM ${name} AS t WHERE position($1 IN t::text) > 0 OR position($2 IN t::text) > 0`,
        [secret, by.token],
      );
      expect([name, found.rowCount]).toEqual([name, 0]);
    }

    // Equal answers look different.
    await by.post('/scores', { items: [{ userId: 999_999_999, scoreChange: 1 }] }, keyed('equal-1'));
    await by.post('/scores', { items: [{ userId: 999_999_999, scoreChange: 1 }] }, keyed('equal-2'));
    const { rows: equal } = await test.database.pool.query(
      "SELECT encode(answer, 'hex') AS hex FROM idempotency_key WHERE key LIKE 'equal-_'",
    );
    expect(equal).toHaveLength(2);
    expect(equal[0].hex).not.toBe(equal[1].hex);
  });
});

describe('Stored key', () => {
  it('an idempotency key is kept for IDEMPOTENCY_RETENTION_HOURS, and can be used anew a day later', async () => {
    const before = await scoreCount();
    const isReplayedAfter = async (hours: number) => {
      test.clock.advance(hours * 3_600_000);
      if (hours > 0) await test.app.housekeep();
      const answer = await office.post('/scores', { userId, scoreChange: 1 }, keyed('kept'));
      expect(answer).toMatchObject({ status: 200, code: 0 });
      return answer.headers['idempotency-replayed'] === 'true';
    };
    expect(await isReplayedAfter(0)).toBe(false);
    expect(await isReplayedAfter(48)).toBe(true);
    expect(await scoreCount()).toBe(before + 1);
    expect(await isReplayedAfter(24)).toBe(false);
    expect(await scoreCount()).toBe(before + 2);
  });

  it('an idempotency key has up to IDEMPOTENCY_KEY_MAX_LENGTH characters', async () => {
    const send = (length: number) =>
      office.post('/scores', { userId, scoreChange: 1 }, keyed('k'.repeat(length)));
    expect(await send(200)).toMatchObject({ code: 0 });
    expect(await send(201)).toMatchObject({ code: 40002 });
  });
});
