import type { ImportRow, Seat } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import { eventually } from '../../../test/eventually.ts';
import { TestImports } from '../../../test/test-imports.ts';

const { test, school, staff } = await openStaffedSchool();
const { schoolDb } = school;
const [ownClass, otherClass] = school.grades[0].classes;
const head = staff.ofSchool;
const imports = new TestImports(test, schoolDb, head);
const other = school.grades[1].classes[0];

describe('Undo of an import', () => {
  it('undoing an import deletes created students, except those with later activity or a place', async () => {
    const traces = [
      'nothing',
      'guessed',
      'signedOut',
      'slip',
      'givenAnew',
      'seated',
      'ranked',
      'inTeam',
    ] as const;
    const placeOf = { seated: otherClass, ranked: other } as Partial<
      Record<(typeof traces)[number], { id: number }>
    >;
    const batch = traces.map((username) => ({ username, classId: (placeOf[username] ?? ownClass).id }));
    const { id, rows } = await imports.run(batch);
    const made = Object.fromEntries(traces.map((trace, i) => [trace, rows[i]])) as Record<
      (typeof traces)[number],
      ImportRow
    >;
    const { internal } = test.anonymous;
    const signIn = (of: (typeof traces)[number], password = made[of].initialPassword) =>
      internal.post('/auth/student/login', { schoolDb, username: of, password });

    expect((await signIn('guessed', 'not the password')).status).toBe(401);
    const signedOut = await test.signInStudent(schoolDb, 'signedOut', made.signedOut.initialPassword);
    expect((await signedOut.post('/auth/student/logout', {})).status).toBe(200);
    const slip = await internal.post('/auth/student/code', { code: made.slip.signInCode });
    expect(slip.status).toBe(200);
    await test.database.pool.query('DELETE FROM student_session WHERE student_id = $1', [made.slip.userId]);
    // A reset by the office ends the session; the new password counts as unused.
    expect((await signIn('givenAnew')).status).toBe(200);
    // The event is written after the answer.
    await eventually('the sign-in is noted', async () => {
      const { rowCount } = await test.database.pool.query(
        "SELECT FROM student_event WHERE student_id = $1 AND kind = 'signedIn'",
        [made.givenAnew.userId],
      );
      return rowCount === 1;
    });
    const given = await head.post(`/users/${made.givenAnew.userId}/password`, { schoolDb });
    expect(given.status).toBe(200);
    const plan = { groupCount: 1, rowsPerGroup: 2, colsPerGroup: 5 };
    const seats = await head.post('/seats/data/generate', { schoolDb, classId: otherClass.id, ...plan });
    expect((seats.data as { seats: Seat[] }).seats.map(({ userId }) => userId)).toContain(made.seated.userId);
    const term = { schoolDb, classId: other.id, action: 'archive' };
    expect((await head.post('/admin/term-switch', term)).status).toBe(200);
    const { version } = (await head.get(`/teams?schoolDb=${schoolDb}&classId=${ownClass.id}`)).data as {
      version: string;
    };
    const teams = [{ name: 'Comets', colour: 1, userIds: [made.inTeam.userId] }];
    const joined = await head.post('/teams', { schoolDb, classId: ownClass.id, version, teams });
    expect(joined.status).toBe(200);

    expect(await imports.undo(id)).toMatchObject({ restoredCount: 2, keptCount: 6 });
    const kept = await imports.effects(id, '&action=kept');
    expect(kept.map((one) => [one.username, one.kept])).toEqual([
      ['signedOut', [{ field: 'student', because: 'used' }]],
      ['slip', [{ field: 'student', because: 'used' }]],
      ['givenAnew', [{ field: 'student', because: 'used' }]],
      ['seated', [{ field: 'student', because: 'placed' }]],
      ['ranked', [{ field: 'student', because: 'records' }]],
      ['inTeam', [{ field: 'student', because: 'placed' }]],
    ]);
    for (const gone of [made.nothing, made.guessed]) {
      expect((await head.get(`/users/${gone.userId}?schoolDb=${schoolDb}`)).status).toBe(404);
    }
    await test.expectVerifiedLedger();
  });
});

describe('Import that fails again and again', () => {
  it('an import that fails again and again is retried less and less often, and stops after ten attempts', async () => {
    const { pool } = test.database;
    // A sequence counts also in transactions that are rolled back.
    await pool.query('CREATE SEQUENCE attempts');
    await pool.query(
      `ALTER TABLE import_effect ADD CONSTRAINT broken CHECK (nextval('attempts') < 0) NOT VALID`,
    );
    const attempts = async () =>
      Number((await pool.query('SELECT last_value FROM attempts')).rows[0].last_value);
    const id = await imports.start([{ username: 'unlucky', classId: ownClass.id }]);
    await test.app.runImports();
    await test.app.runImports();
    expect([await attempts(), (await imports.read(id)).state]).toEqual([1, 'running']);
    for (let minute = 0; minute < 20; minute++) {
      test.clock.advance(60_000);
      await test.app.runImports();
    }
    expect([await attempts(), (await imports.read(id)).state]).toEqual([10, 'stopped']);
    await pool.query('ALTER TABLE import_effect DROP CONSTRAINT broken');
  });
});
