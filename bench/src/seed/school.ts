import type pg from 'pg';
import type { Dataset } from '../workloads.ts';

export const schoolSize = { grades: 6, classesPerGrade: 12, students: 3_000 } as const;

const schoolName = 'Benchmark School';
/** As long as a real argon2id hash, but no password matches it. */
const noPassword = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

export async function createSchool(client: pg.ClientBase, at: Date): Promise<Dataset> {
  const instant = at.toISOString();
  const { rows } = await client.query<{ id: number }>(
    'INSERT INTO school (name, created_at) VALUES ($1, $2) RETURNING id',
    [schoolName, instant],
  );
  const schoolId = (rows[0] as { id: number }).id;
  await client.query(
    `INSERT INTO grade (school_id, name, created_at)
     SELECT $1, 'Grade ' || n, $2 FROM generate_series(1, $3::int) n ORDER BY n`,
    [schoolId, instant, schoolSize.grades],
  );
  await client.query(
    `INSERT INTO class (school_id, grade_id, name, created_at)
     SELECT g.school_id, g.id, 'Class ' || n, $2 FROM grade g, generate_series(1, $3::int) n
     WHERE g.school_id = $1 ORDER BY g.id, n`,
    [schoolId, instant, schoolSize.classesPerGrade],
  );
  await client.query(
    `INSERT INTO student (school_id, class_id, username, actual_name, password_hash, created_at)
     SELECT $1, classes.ids[1 + n % cardinality(classes.ids)], 'student' || to_char(n, 'FM000000'),
       '学生' || to_char(n, 'FM000000'), $2, $3
     FROM (SELECT array_agg(id ORDER BY id) AS ids FROM class WHERE school_id = $1) classes,
       generate_series(1, $4::int) n
     ORDER BY n`,
    [schoolId, noPassword, instant, schoolSize.students],
  );
  return (await findSchool(client)) as Dataset;
}

/** Finds the school of an earlier run; null in a new database. @throws Error if another school exists */
export async function findSchool(client: pg.ClientBase | pg.Pool): Promise<Dataset | null> {
  const { rows: schools } = await client.query<{ id: number; name: string }>(
    'SELECT id, name FROM school ORDER BY id LIMIT 1',
  );
  const [school] = schools;
  if (!school) return null;
  if (school.name !== schoolName) throw new Error('The database holds a school that is not of the benchmark');
  const ids = async (table: 'class' | 'student') => {
    const { rows } = await client.query<{ id: number }>(
      `SELECT id FROM ${table} WHERE school_id = $1 ORDER BY id`,
      [school.id],
    );
    return rows.map((row) => Number(row.id));
  };
  return { schoolId: Number(school.id), classIds: await ids('class'), studentIds: await ids('student') };
}
