import type pg from 'pg';
import { expect, it } from 'vitest';
import { createStaff } from '../../test/administrators.ts';
import { backupOf, contentOf, restoreInto, restoreOptions } from '../../test/backups.ts';
import { createSampleSchool, openSchool, startTestApp } from '../../test/test-app.ts';
import { withClient } from '../../test/with-client.ts';
import { tablesOfBackup } from '../database/tables.ts';
import { describeTables } from './catalogue.ts';
import { restoreSchool } from './restore-school.ts';
import { idColumnsOf } from './school-ids.ts';

const keyed = { 'idempotency-key': 'breakfast' };

/** The school's former installation, where it is the second school. */
const opened = await openSchool();
const old = opened.test;
const school = await createSampleSchool(opened.admin, 'Moving School');
const staff = await createStaff(old, school);
const office = await staff.ofSchool.issue(school.schoolDb, {});
const [first, second] = school.grades[0].classes[0].students;
const kind = await office.created<{ id: number }>('/categories', { code: 'k', name: 'Kind', colour: 1 });
await office.created('/scores', { userId: first.id, scoreChange: 5, categoryId: kind.id });
await office.post('/scores', { userId: first.id, scoreChange: 2 }, keyed);
await opened.office.give(opened.school.grades[0].classes[0].students[0].id, 50);
for (const by of [staff.ofSchool, opened.admin]) {
  const points = { schoolDb: school.schoolDb, userId: second.id, scoreChange: 1, description: 'by hand' };
  await by.created('/scores/add', points);
}
await old.app.close();
const file = await backupOf(old.databaseTarget, school.id);

/** An installation with a school that uses the same ids. */
const busy = await openSchool();

const bringTo = (test: { databaseTarget: pg.PoolConfig }) => bring(test.databaseTarget);
const bring = (target: pg.PoolConfig, bytes = file) => restoreSchool(restoreOptions(target, bytes));

it('the backup of one school contains nothing of another school', () => {
  expect(file.includes('Riverside School')).toBe(false);
});

it('a restored school keeps its ids in an installation that has issued none of them', async () => {
  const fresh = await startTestApp();
  await bringTo(fresh);
  const admin = await fresh.signIn();
  expect(await admin.get('/schools')).toMatchObject({ data: [{ id: school.id, name: 'Moving School' }] });
  const moved = fresh.with(office);
  expect(await moved.get(`/students/${first.id}`)).toMatchObject({ data: { totalScore: 7 } });
  await moved.post('/scores', { userId: first.id, scoreChange: 2 }, keyed);
  expect(await moved.get(`/students/${first.id}`)).toMatchObject({ data: { totalScore: 7 } });
  await fresh.signIn(`head-${school.id}`, `password of head-${school.id}`);
  await fresh.expectVerifiedLedger();
});

it('the restore of a school is rejected where an administrator’s username is taken, and changes nothing', async () => {
  const { database, databaseTarget } = busy.test;
  await database.pool.query(`INSERT INTO admin (username, password_hash, role, created_at)
      VALUES ('head-${school.id}', 'x', 'super_admin', now())`);
  const before = await contentOf(databaseTarget);
  await expect(bring(databaseTarget)).rejects.toThrow(
    new RegExp(`have the same usernames .*\\(head-${school.id}\\): rename either`),
  );
  expect(await contentOf(databaseTarget)).toEqual(before);
  await database.pool.query("DELETE FROM admin WHERE password_hash = 'x'");
});

it('a restored school gets higher ids, also in references, if other schools use its ids', async () => {
  await busy.office.give(busy.school.grades[0].classes[0].students[0].id, 9);
  const others = async () => {
    const { api_token: _, audit_record: __, ...content } = await contentOf(busy.test.databaseTarget);
    return content;
  };
  const before = await others();
  const { schoolId, shifts } = await bringTo(busy.test);
  const studentShift = shifts.get('student') ?? 0;
  expect(shifts.get('school') ?? 0).toBe(schoolId - school.id);

  const after = await others();
  for (const [table, rows] of Object.entries(before)) {
    expect([table, rows.filter((row) => !after[table]?.includes(row))]).toEqual([table, []]);
  }
  const moved = busy.test.with(office);
  const path = `/students/${first.id + studentShift}`;
  expect(await moved.get(path)).toMatchObject({ status: 200, data: { totalScore: 7 } });
  await moved.post('/scores', { userId: first.id + studentShift, scoreChange: 1 });
  expect(await moved.get(path)).toMatchObject({ data: { totalScore: 8 } });

  // One author was not restored: that record keeps an id that belongs to no administrator here.
  const rows = await busy.test.rows(
    `SELECT count(a.id)::int AS known, count(*)::int AS all FROM score_record r
         LEFT JOIN admin a ON a.id = r.admin_id WHERE r.school_id = $1 AND r.admin_id IS NOT NULL`,
    schoolId,
  );
  expect(rows).toEqual([{ known: 1, all: 2 }]);
  await busy.test.expectVerifiedLedger();
  expect((await createSampleSchool(busy.admin, 'Third School')).id).toBeGreaterThan(schoolId);

  // A backup of the restored school equals the original, except for the ids.
  const refused = 'This school already exists here, as "Moving School"';
  const cut = file.subarray(0, file.length - 100);
  await expect(bringTo(busy.test)).rejects.toThrow(refused);
  await expect(bring(busy.test.databaseTarget, cut), 'before its rows are read').rejects.toThrow(refused);
  const again = await backupOf(busy.test.databaseTarget, schoolId);
  const target = await startTestApp();
  await expect(bring(target.databaseTarget, again)).resolves.toMatchObject({ schoolId });
});

it('the backup of a school cannot be restored as an installation, nor the reverse', async () => {
  const target = old.databaseTarget;
  await expect(restoreInto(target, file)).rejects.toThrow(/holds only the school "Moving School"/);
  await expect(bring(target, await backupOf(target))).rejects.toThrow(/holds a whole installation/);
  await expect(backupOf(target, 4_711)).rejects.toThrow('There is no school 4711');
});

it('a restore renumbers exactly the columns that contain ids', async () => {
  await withClient(old.databaseTarget, async (client) => {
    const names = tablesOfBackup(1).map(({ name }) => name);
    const tables = await describeTables(client, names);
    const looksLikeId = /^(id|.*_id|create_students_in)$/;
    const others = ['external_id', 'request_id', 'credential_id', 'rp_id', 'client_id', 'target_id'];
    for (const table of tables.values()) {
      const ids = table.columns.filter((column) => looksLikeId.test(column) && !others.includes(column));
      expect(
        idColumnsOf(table)
          .map(([column]) => column)
          .sort(),
        table.name,
      ).toEqual(ids.sort());
    }
  });
});
