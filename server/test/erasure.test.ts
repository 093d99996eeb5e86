import { afterEach, describe, expect, it } from 'vitest';
import { erasedTables } from '../src/features/personal-data/erase-students.ts';
import { LockedRows } from './locked-rows.ts';
import { openRaceSchool } from './race-school.ts';
import { randomFrom, testSeed } from './random.ts';

const race = await openRaceSchool();
afterEach(race.expectVerifiedLedger);
const { schoolDb, grades } = race.school;
const { admin: head } = race;
const rowsOf = race.test.rows;

interface Pupil {
  readonly id: number;
  readonly secrets: string[];
  username: string;
}

const isOdd = (n: number) => n % 2 === 1;
const runs = Math.max(1, Number(process.env.LEDGER_RUNS ?? 1));

describe('erasing a student', () => {
  it(`removes the student’s names, email address and reasons; all totals still follow from the ledger (TEST_SEED=${testSeed})`, async () => {
    const random = randomFrom(testSeed);
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
    const classes = grades.flatMap((grade) => grade.classes.map(({ id }) => id));
    let words = 0;
    const word = (what: string) => `${what}-${Math.floor(random() * 1e9).toString(36)}-${++words}`;
    const pupils: Pupil[] = [];
    for (let n = 0; n < 10; n++) {
      const [username, actualName, email] = [word('user'), word('name'), `${word('mail')}@home.example`];
      const where = { schoolDb, classId: n < 4 ? classes[0] : pick(classes) };
      // Every other student is created and renamed in ways that the activity log does not name.
      const body = isOdd(n)
        ? { ...where, students: [{ username, actualName }], defaultPassword: 'secret-password' }
        : { ...where, username, actualName, password: 'secret-password' };
      const made = await head(n).created<{ id: number; details?: [{ id: number }] }>('/users', body);
      const id = made.details?.[0].id ?? made.id;
      await head(n).patch(`/users/${id}`, { schoolDb, email });
      pupils.push({ id, username, secrets: [username, actualName, email] });
    }
    const { seats } = await head(0).created<{ seats: { id: number }[] }>('/seats/data/generate', {
      ...{ schoolDb, classId: classes[0] },
      ...{ groupCount: 1, rowsPerGroup: 4, colsPerGroup: 4 },
    });
    const seat = ({ id }: Pupil) => head(0).patch(`/seats/data/${pick(seats).id}`, { schoolDb, userId: id });
    const rename = async (pupil: Pupil, by: (names: object) => Promise<{ status: number }>) => {
      const names = { username: word('renamed'), actualName: word('called') };
      pupil.secrets.push(names.username, names.actualName);
      const answer = await by(names);
      if (answer.status === 200) pupil.username = names.username;
      return answer;
    };
    const renameByApp = (pupil: Pupil) =>
      rename(pupil, (names) => race.here.patch(`/students/${pupil.id}`, names));
    for (const pupil of pupils.slice(0, 4)) expect(await seat(pupil)).toMatchObject({ status: 200 });
    for (const [n, pupil] of pupils.entries()) {
      if (isOdd(n)) await renameByApp(pupil);
      else await rename(pupil, (names) => head(n).patch(`/users/${pupil.id}`, { schoolDb, ...names }));
    }
    const erased = new Set<number>();
    /** The name of an erased student would be stored again if somebody typed it. */
    const left = () => pupils.filter(({ id }) => !erased.has(id));
    const named = () => pick(left()).username;
    /** Students with the same username since before the steps, so that creating it again always fails. */
    const taken = () => pick(left().filter((pupil) => !isOdd(pupils.indexOf(pupil)))).username;

    let keys = 0;
    const tell: (() => Promise<unknown>)[] = [
      () =>
        race.here.post('/scores', { userId: pick(pupils).id, scoreChange: 3, description: word('reason') }),
      () => {
        const { id } = pick(pupils);
        const body = { schoolDb, userId: id, scoreChange: -1, description: word('reason') };
        return head(++keys).post('/scores/add', body, { 'idempotency-key': `key ${keys}` });
      },
      () => {
        const [one, other] = [pick(pupils), pick(pupils)];
        const items = [
          { userId: one.id },
          { userId: other.id },
          { username: named() },
          { username: named(), scoreChange: 'x' },
        ];
        const body = { schoolDb, scoreChange: 1, description: word('reason'), items };
        return head(++keys).post('/scores/batch', body, { 'idempotency-key': `key ${keys}` });
      },
      () => race.there.post('/scores', { username: pick(pupils).username, scoreChange: 2 }),
      () => {
        const login = { username: pick(pupils).username, schoolDb };
        const password = random() < 0.7 ? 'secret-password' : 'wrong';
        return race.test.anonymous.internal.post('/auth/student/login', { ...login, password });
      },
      () => head(1).patch(`/users/${pick(pupils).id}`, { schoolDb, classId: pick(classes) }),
      () => head(0).patch(`/users/${pick(pupils).id}`, { schoolDb, disabled: random() < 0.5 }),
      () => head(1).post(`/users/${pick(pupils).id}/password`, { schoolDb }),
      () => seat(pick(pupils)),
      () => renameByApp(pick(pupils.filter((_, n) => isOdd(n)))),
      () => head(1).post('/admin/term-switch', { schoolDb, classId: pick(classes), action: 'archive' }),
      () => race.here.post('/students', { username: taken(), classId: pick(classes) }),
      () => {
        const students = [{ username: taken() }, { username: taken() }];
        const body = { schoolDb, classId: pick(classes), students };
        return head(++keys).post('/users', body, { 'idempotency-key': `key ${keys}` });
      },
      () => head(0).post(`/users/${pick(pupils).id}/export`, { schoolDb }),
    ];
    for (let round = 0; round < 10 * runs; round++) {
      const gone = pick(pupils).id;
      const erases = round % 2 === 1 && erased.size < 6;
      if (erases) erased.add(gone);
      const works = Array.from({ length: 8 }, () => pick(tell)());
      if (erases) {
        works.splice(3, 0, head(round >> 1).post(`/users/${gone}/erase`, { schoolDb }));
      }
      for (const answer of await Promise.all(works)) {
        const { status } = answer as { status: number };
        expect([200, 400, 401, 403, 404, 409, 429]).toContain(status);
      }
    }

    const { data } = await head(0).get(`/api-tokens/logs?schoolDb=${schoolDb}&limit=500`);
    expect((data as { total: number }).total).toBeGreaterThan(0);
    const held = await race.test.readAllRows();
    for (const { id, secrets } of pupils) {
      const stillThere = secrets.filter((secret) => held.includes(secret));
      // A student who is not erased still has names and an address in the database.
      expect([id, stillThere.length > 0]).toEqual([id, !erased.has(id)]);
      const account = (await head(0).get(`/users/${id}?schoolDb=${schoolDb}`)).data;
      expect(account).toMatchObject({ erased: erased.has(id) });
      if (!erased.has(id)) continue;
      for (const table of erasedTables.filter((name) => name !== 'term_standing')) {
        const kept = table === 'score_record' ? `description <> ''` : 'true';
        expect(await rowsOf(`SELECT 1 FROM ${table} WHERE student_id = $1 AND ${kept}`, id), table).toEqual(
          [],
        );
      }
    }
  });

  it('covers every table with a student_id', async () => {
    const rows = await rowsOf(
      `SELECT table_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'student_id' ORDER BY 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual([...erasedTables].sort());
  });
});

describe('erasing a student while another request is running', () => {
  const inTurn = async (id: number, ...works: (() => Promise<{ status: number }>)[]) => {
    const held = await LockedRows.ofStudent(race.test, id);
    return (await held.startInOrder(...works)).map(({ status }) => status);
  };
  const student = () => race.newStudent(grades[0].classes[0].id);
  const erase = (id: number) => () => head(0).post(`/users/${id}/erase`, { schoolDb });
  const give = (id: number) => () =>
    head(1).post('/scores/add', { schoolDb, userId: id, scoreChange: 5, description: 'A reason' });
  const records = (id: number) =>
    rowsOf('SELECT score_change AS change, description FROM score_record WHERE student_id = $1', id);

  it('removes the reason of points that were given before, and rejects later points with 409', async () => {
    const [early, late] = [await student(), await student()];
    const held = await LockedRows.ofStudent(race.test, early.id);
    const given = give(early.id)();
    // The erasure must come after the points are retried alone.
    await held.waitUntilBlocked(1);
    const erased = erase(early.id)();
    await held.waitUntilWaiting(2);
    await held.release();
    expect([(await given).status, (await erased).status]).toEqual([200, 200]);
    expect(await records(early.id)).toEqual([{ change: 5, description: '' }]);
    expect(await inTurn(late.id, erase(late.id), give(late.id))).toEqual([200, 409]);
    expect(await records(late.id)).toEqual([]);
  });

  it('rejects a sign-in that comes later with 401 and leaves no session', async () => {
    const { id, username } = await student();
    const login = { username, password: 'secret-password', schoolDb };
    const signIn = () => race.test.anonymous.internal.post('/auth/student/login', login);
    expect(await inTurn(id, erase(id), signIn)).toEqual([200, 401]);
    expect(await rowsOf('SELECT 1 FROM student_session WHERE student_id = $1', id)).toEqual([]);
  });

  it('lets an earlier move or rename succeed, and rejects a later move or rename with 409', async () => {
    const other = grades[1].classes[1].id;
    const change = (id: number, body: object) => () => head(1).patch(`/users/${id}`, { schoolDb, ...body });
    const [moved, renamed, late] = [await student(), await student(), await student()];
    expect(await inTurn(moved.id, change(moved.id, { classId: other }), erase(moved.id))).toEqual([200, 200]);
    expect(
      await inTurn(renamed.id, change(renamed.id, { username: 'called so' }), erase(renamed.id)),
    ).toEqual([200, 200]);
    expect(await inTurn(late.id, erase(late.id), change(late.id, { actualName: 'called so' }))).toEqual([
      200, 409,
    ]);
    expect(await race.test.readAllRows()).not.toContain('called so');
    const account = await head(0).get(`/users/${moved.id}?schoolDb=${schoolDb}`);
    expect(account.data).toMatchObject({ erased: true, classId: other });
  });

  it('rejects a new initial password that comes later with 409, and leaves no password or sign-in code', async () => {
    const { id } = await student();
    const slip = { schoolDb, classId: grades[0].classes[0].id, userIds: [id] };
    const renew = () => head(1).post('/users/passwords', slip);
    expect(await inTurn(id, erase(id), renew)).toEqual([200, 409]);
    const account =
      'SELECT password_hash AS hash, password_is_initial AS "isInitial" FROM student WHERE id = $1';
    expect(await rowsOf(account, id)).toEqual([{ hash: '', isInitial: false }]);
    expect(await rowsOf('SELECT 1 FROM sign_in_code WHERE student_id = $1', id)).toEqual([]);
    expect(await renew()).toMatchObject({ status: 409 });
  });

  const storedAnswers = () => LockedRows.inTable(race.test, 'idempotency_key', race.school.id, 'school_id');

  it('removes the name also from an activity-log line that is written at the same moment', async () => {
    const { id, username } = await student();
    const points = { schoolDb, userId: id, scoreChange: 5 };
    await head(1).post('/scores/add', points, { 'idempotency-key': 'stored answer' });
    // Erasure scrubs stored answers last; by then it has scrubbed the existing log lines.
    const held = await storedAnswers();
    const erasing = erase(id)();
    await held.waitUntilWaiting(1);
    const exporting = head(1).post(`/users/${id}/export`, { schoolDb });
    await Promise.race([held.waitUntilWaiting(2), exporting]);
    await held.release();
    expect(await Promise.all([erasing, exporting])).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(await race.test.readAllRows()).not.toContain(username);
  });

  it('removes both names from a stored answer when two students are erased at once', async () => {
    const [one, other] = [await student(), await race.newStudent(grades[1].classes[1].id)];
    const items = [{ userId: one.id }, { userId: other.id }];
    const points = { schoolDb, scoreChange: 1, description: 'A reason', items };
    await head(1).post('/scores/batch', points, { 'idempotency-key': 'answer of two' });
    const held = await storedAnswers();
    const answers = await held.startInOrder(erase(one.id), erase(other.id));
    expect(answers).toMatchObject([{ status: 200 }, { status: 200 }]);
    const left = await race.test.readAllRows();
    for (const { username } of [one, other]) expect(left).not.toContain(username);
  });
});
