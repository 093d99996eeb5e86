import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createDatabase } from '../own-database.ts';
import { openClient } from '../with-client.ts';
import { namesNoSchool, readSchema } from './check.ts';

let client: pg.Client;

beforeAll(async () => {
  client = await openClient({ ...inject('postgres'), database: await createDatabase('migrated') });
});

afterAll(() => client.end());

const found = async (text: string) => namesNoSchool(client, { text }, await readSchema(client));

/** Tests the check that runs after every test file. */
describe.skipIf(inject('citus'))('the check of a statement on school data', () => {
  it.each([
    'SELECT * FROM student WHERE school_id = $1 AND id = $2',
    'SELECT * FROM score_record r JOIN student s ON s.school_id = r.school_id AND s.id = r.student_id WHERE r.school_id = $1',
    'SELECT * FROM seat p LEFT JOIN student s ON s.school_id = p.school_id AND s.id = p.student_id WHERE p.school_id = $1',
    'SELECT g.id, (SELECT count(*) FROM class c WHERE c.school_id = $1 AND c.grade_id = g.id) FROM grade g WHERE g.school_id = $1',
    'SELECT * FROM audit_record WHERE school_id = $1 AND created_at > $2',
    'UPDATE class SET name = $1 WHERE school_id = $2 AND id = $3',
    'INSERT INTO grade (school_id, name, created_at) VALUES ($1, $2, $3)',
    'INSERT INTO class_day SELECT $1, * FROM unnest($2::bigint[], $3::date[], $4::int[], $4::int[], $4::int[], $5::bigint[], $5::bigint[])',
    'INSERT INTO term_standing SELECT school_id, $1, id, username, actual_name, 0, 0, 0 FROM student WHERE school_id = $2',
    'SELECT * FROM admin JOIN school ON school.id = admin.school_id',
  ])('accepts a statement that names its school: %s', async (text) => {
    expect(await found(text)).toBeNull();
  });

  it.each([
    ['student', 'SELECT * FROM student WHERE id = $1'],
    [
      'class',
      'SELECT g.id, (SELECT count(*) FROM class c WHERE c.school_id = g.school_id AND c.grade_id = g.id) FROM grade g WHERE g.school_id = $1',
    ],
    ['student', 'SELECT * FROM score_record r JOIN student s ON s.id = r.student_id WHERE r.school_id = $1'],
    [
      'class',
      'SELECT * FROM admin JOIN class ON class.school_id = admin.school_id AND class.id = admin.class_id',
    ],
    ['student', 'SELECT * FROM student WHERE school_id = ANY($1)'],
    ['student', 'SELECT * FROM student WHERE school_id <> $1'],
    ['student', 'SELECT * FROM student WHERE school_id = $1 OR id = $2'],
    ['audit_record', 'SELECT * FROM audit_record ORDER BY created_at DESC LIMIT 1'],
    ['class', 'UPDATE class SET name = $1 WHERE id = $2'],
    ['student_session', 'DELETE FROM student_session WHERE created_at < $1'],
    ['grade', 'INSERT INTO grade (school_id, name, created_at) SELECT id, $1, now() FROM school'],
  ])('reports table %s for a statement that does not name its school: %s', async (table, text) => {
    expect(await found(text)).toBe(table);
  });
});
