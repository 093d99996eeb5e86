import { expect, it } from 'vitest';
import { createAdmin } from '../../test/administrators.ts';
import { eventually } from '../../test/eventually.ts';
import { openSchool } from '../../test/test-app.ts';
import { accessChannel } from '../database/notices.ts';
import { type AccessChange, parseAccessChange } from './access-changes.ts';

const { test, school, office: credential } = await openSchool();
const teacher = await createAdmin(test, { username: 'teacher', role: 'school_admin', schoolId: school.id });
const [grade] = school.grades;
const { pool } = test.database;

const ofSchool = { schoolId: school.id };
const ofIssuer = { issuerId: teacher.id };
const ofCredential = { credentialId: credential.id };

it.each<[string, unknown[], AccessChange | 'nothing']>([
  ['UPDATE api_token SET disabled = true WHERE id = $1', [credential.id], ofCredential],
  ['UPDATE api_token SET call_count = 7 WHERE id = $1', [credential.id], 'nothing'],
  ['DELETE FROM api_token WHERE id = $1', [credential.id], ofCredential],
  ['UPDATE admin SET disabled = true WHERE id = $1', [teacher.id], ofIssuer],
  ["UPDATE admin SET password_hash = 'another' WHERE id = $1", [teacher.id], 'nothing'],
  ['DELETE FROM admin WHERE id = $1', [teacher.id], ofIssuer],
  ["UPDATE school SET name = 'Another name' WHERE id = $1", [school.id], ofSchool],
  [
    "UPDATE class SET grade_id = $2, name = 'Moved' WHERE id = $1",
    [grade.classes[0].id, school.grades[1].id],
    ofSchool,
  ],
  ['UPDATE class SET add_score = add_score WHERE id = $1', [grade.classes[0].id], 'nothing'],
])(
  'announces the affected credentials when somebody runs by hand: %s',
  async (statement, values, expected) => {
    const client = await pool.connect();
    const received: unknown[] = [];
    client.on('notification', ({ payload = '' }) => received.push(parseAccessChange(payload)));
    await client.query(`LISTEN ${accessChannel}`);
    await pool.query(statement, values);
    await pool.query("SELECT pg_notify($1, 'the end')", [accessChannel]);
    await eventually('every notification is received', () => received.includes(null));
    expect(received).toEqual(expected === 'nothing' ? [null] : [expected, null]);
    client.release(true);
  },
);
