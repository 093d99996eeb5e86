import pg from 'pg';
import { classPage, insertScore, insertScores, overview, studentRecords } from './statements.ts';

/** As many connections as the server has for ordinary reads and writes. The server has two more for pages of lists. */
const poolSize = 10;
const attemptsMax = 5;

const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary') {
      if (oid === pg.types.builtins.INT8) return Number;
      if (oid === pg.types.builtins.NUMERIC) return Number;
      if (oid === pg.types.builtins.TIMESTAMPTZ) return isoInstant;
    }
    return pg.types.getTypeParser(oid as never, format as never);
  },
} as pg.CustomTypesConfig;

/** Converts PostgreSQL's text of an instant in UTC to ISO 8601, without a Date, which would cost more. */
function isoInstant(text: string): string {
  const fraction = text[19] === '.' ? text.slice(20, -3) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}

export function openPool(target: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    ...target,
    max: poolSize,
    idleTimeoutMillis: 0,
    application_name: 'benchmark floor',
    options: '-c timezone=UTC -c datestyle=ISO',
    types,
  });
  // Ignores the error, because the next request replaces a connection that broke while idle.
  pool.on('error', () => {});
  return pool;
}

type ScoreItem = { userId: number; scoreChange: number };

/** Each operation is one prepared statement that commits by itself. */
export class Operations {
  readonly #pool: pg.Pool;
  readonly #schoolId: number;

  constructor(pool: pg.Pool, schoolId: number) {
    this.#pool = pool;
    this.#schoolId = schoolId;
  }

  async listStudents(classId: number) {
    return paged(await this.#run('page', classPage, [classId]));
  }

  async listScores(studentId: number) {
    return paged(await this.#run('records', studentRecords, [studentId]));
  }

  async writeScore(item: ScoreItem & { description: string }) {
    const [row] = await this.#run('score', insertScore, [item.userId, item.scoreChange, item.description]);
    return { logId: row.id };
  }

  async writeScores(items: readonly ScoreItem[], description: string) {
    const rows = await this.#run('scores', insertScores, [
      items.map((item) => item.userId),
      items.map((item) => item.scoreChange),
      description,
    ]);
    return { logIds: rows.map((row) => row.id) };
  }

  async overview() {
    const [{ topStudents, ...sums }] = await this.#run('overview', overview, []);
    return { ...sums, topStudents: topStudents ?? [] };
  }

  async #run(name: string, text: string, values: readonly unknown[]) {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.#pool.query({ name, text, values: [this.#schoolId, ...values] })).rows;
      } catch (error) {
        const deadlock = error instanceof pg.DatabaseError && error.code === '40P01';
        if (!deadlock || attempt >= attemptsMax) throw error;
      }
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: rows go straight into JSON
function paged(rows: any[]) {
  const total = rows[0]?.total ?? 0;
  for (const row of rows) delete row.total;
  return { list: rows, total };
}
