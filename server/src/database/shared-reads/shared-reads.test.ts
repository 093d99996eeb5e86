import { sql } from 'kysely';
import Type from 'typebox';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createDatabase } from '../../../test/own-database.ts';
import { connectDatabase } from '../connect.ts';
import { transientErrorKind } from '../transient-errors.ts';
import { JsonList } from './json-list.ts';

const name = await createDatabase('empty');

describe.each(['session', 'transaction'] as const)('Shared reads with pooling by %s', (pooling) => {
  const fields = {
    n: { read: 'n', type: 'bigint' },
    text: { read: "'a' || n", type: 'text' },
    secret: { read: "'not declared'", type: 'text' },
  } as const;
  const list = new JsonList(Type.Object({ n: Type.Integer(), text: Type.String() }), fields);
  const database = connectDatabase({ ...inject('postgres'), database: name }, { pooling });
  afterAll(() => database.end());

  const read = (to: number, divisor: number | undefined = 1) =>
    list.read(database.db, '', { to, divisor }, (columns, given) => {
      const { to, divisor } = given;
      return sql`SELECT ${columns}, ${to}::int / ${divisor}::int FROM generate_series(1, ${to}::int) AS n ORDER BY n`;
    });
  const pids = async () => {
    const { rows } = await database.pool.query(
      `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    return rows.map(({ pid }) => pid as number);
  };
  const expected = (to: number) => ({
    list: JSON.stringify(Array.from({ length: to }, (_, i) => ({ n: i + 1, text: `a${i + 1}` }))),
    total: to,
  });

  it('shared reads return each page its own rows, for 200 pages over two connections', async () => {
    const sizes = Array.from({ length: 200 }, (_, i) => (i * 7) % 50);
    expect(await Promise.all(sizes.map((to) => read(to)))).toEqual(sizes.map(expected));
    expect((await pids()).length).toBeLessThanOrEqual(2);
  });

  it('when one query fails, the other reads of the same statement still succeed', async () => {
    const ends = await Promise.allSettled(Array.from({ length: 60 }, (_, i) => read(5, i % 3 === 1 ? 0 : 1)));
    for (const [i, end] of ends.entries()) {
      if (i % 3 === 1) expect(end).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
      else expect(end).toEqual({ status: 'fulfilled', value: expected(5) });
    }
  });

  it('a shared read fails when the server ends its connection, and the next read uses another connection', async () => {
    const lost = list.read(
      database.db,
      'slow',
      {},
      (columns) => sql`
      SELECT ${columns}, 1 FROM generate_series(1, 1) AS n, pg_sleep(60)`,
    );
    const end = lost.then(() => null, transientErrorKind);
    await expect
      .poll(async () => {
        const { rows } = await database.pool.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event = 'PgSleep'`,
        );
        return rows.length;
      })
      .toBe(1);
    expect(await end).toBe('unreachable');
    expect(await read(3)).toEqual(expected(3));
  });

  it('a shared read builds a statement once for each combination of given parameters', async () => {
    let built = 0;
    const again = (to: number, from?: number) =>
      list.read(database.db, 'counted', { to, from }, (columns, { to, from }) => {
        built++;
        const start = from === undefined ? sql`1` : sql`${from}::int`;
        return sql`SELECT ${columns}, 0 FROM generate_series(${start}, ${to}::int) AS n ORDER BY n`;
      });
    for (const to of [1, 2, 3]) expect(JSON.parse((await again(to)).list)).toHaveLength(to);
    expect(JSON.parse((await again(4, 3)).list)).toEqual([
      { n: 3, text: 'a3' },
      { n: 4, text: 'a4' },
    ]);
    expect(built).toBe(2);
  });
});
