import { type DayTotals, dayAt, type Overview } from '@classledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LockedRows } from '../../../test/locked-rows.ts';
import { openRaceSchool, sendWrites } from '../../../test/race-school.ts';
import { createSampleSchool, type SampleSchool, type TestApp } from '../../../test/test-app.ts';
import { verifyLedger } from '../scores/verify-ledger.ts';

const { test, school, here: office } = await openRaceSchool();
const admin = await test.signIn();
const [first] = school.grades[0].classes;
const pupil = first.students[0];

/** Signs in each time, because sessions end when a test sets the clock. */
const follow = async (timeZone: string, { schoolDb }: SampleSchool = school, at: TestApp = test) => {
  const answer = await (await at.signIn()).patch('/school-settings', { schoolDb, timeZone });
  expect(answer.status).toBe(200);
  return (answer.data as { timeZone: string }).timeZone;
};
const daysOf = (days = 366, query = '') =>
  admin.read<DayTotals[]>(`/stats/records?schoolDb=${school.schoolDb}&days=${days}${query}`);
const today = async () => (await office.read<Overview>('/stats/overview')).scores.todayRecordCount;

it('a school’s time zone defaults to the time zone of the installation, and is stored under its present name', async () => {
  const of = async (body: object) =>
    (await admin.created<{ timeZone: string }>('/schools', { name: 'Another', ...body })).timeZone;
  expect(await of({})).toBe('UTC');
  expect(await admin.read('/school-defaults')).toEqual({ timeZone: 'UTC' });
  expect(await of({ timeZone: ' asia/calcutta ' })).toBe('Asia/Kolkata');
  const refused = await admin.post('/schools', { name: 'Another', timeZone: '+08:00' });
  expect(refused).toMatchObject({ status: 400, message: expect.stringContaining('Asia/Shanghai') });
});

it('a school’s time zone sets the days of statistics and filters, and filters of the external API use UTC days', async () => {
  await follow('America/Santiago');
  // At midnight of the 6th the clocks go forward: the day begins at 1:00 and has 23 hours.
  const moments = [
    ['2026-09-06T03:59:59.999Z', '2026-09-05'],
    ['2026-09-06T04:00:00.000Z', '2026-09-06'],
    ['2026-09-07T02:59:59.999Z', '2026-09-06'],
    ['2026-09-07T03:00:00.000Z', '2026-09-07'],
  ] as const;
  const counts: number[] = [];
  for (const [moment] of moments) {
    test.clock.set(moment);
    await office.give(pupil.id, 1);
    counts.push(await today());
  }
  expect(counts).toEqual([1, 1, 2, 1]);
  const expected = [1, 2, 1].map((count, i) => ({ date: `2026-09-0${5 + i}`, count }));
  expect(await daysOf(3)).toMatchObject(expected);
  expect(await daysOf(3, `&userId=${pupil.id}`)).toMatchObject(expected);
  const student = await test.signInStudent(school.schoolDb, 's1a1');
  expect(await student.read('/student/records-by-day?days=3')).toMatchObject(expected);
  const ranked = await admin.get(`/stats/leaders?schoolDb=${school.schoolDb}&days=2&by=recent&limit=1`);
  expect(ranked.data).toMatchObject([{ id: pupil.id, recentScore: 3, previousScore: 1 }]);

  const day = 'startDate=2026-09-06&endDate=2026-09-06';
  const logs = await admin.get(`/scores/logs?schoolDb=${school.schoolDb}&${day}`);
  expect(logs.headers['x-total-count']).toBe('2');
  const exact = `startDate=2026-09-06&endDate=2026-09-07T03:00:00Z`;
  expect(await admin.read(`/scores/logs?schoolDb=${school.schoolDb}&${exact}`)).toHaveLength(3);
  const twisted = 'startDate=2026-09-06&endDate=2026-09-06T03:59:59Z';
  expect((await admin.get(`/scores/logs?schoolDb=${school.schoolDb}&${twisted}`)).status).toBe(400);
  const { data: utc } = await office.get(`/scores?${day}`);
  const ofUtcDay = [{ createdAt: moments[1][0] }, { createdAt: moments[0][0] }];
  expect(utc).toMatchObject({ total: 2, list: ofUtcDay });
  expect((await office.read<Overview>(`/stats/overview?${day}`)).scores.recordCount).toBe(2);
  const activity = await admin.get(`/admin/activity?schoolDb=${school.schoolDb}&startDate=2026-09-07`);
  expect(activity.status).toBe(200);
  await test.expectVerifiedLedger();
});

it('changing the time zone recalculates the daily sums, with an activity line', async () => {
  const unannounced = "UPDATE school SET time_zone = 'Asia/Kathmandu' WHERE id = $1";
  await test.database.pool.query(unannounced, [school.id]);
  const { differences } = await verifyLedger(test.database.db);
  expect(differences.map(({ what }) => what)).toContain(`class ${first.id} on 2026-09-05`);
  expect(await follow('Asia/Kathmandu')).toBe('Asia/Kathmandu');
  await test.expectVerifiedLedger();
  const { data } = await admin.get('/admin/activity?limit=1');
  expect(data).toMatchObject([{ action: 'updateSchoolSettings', target: { id: school.id } }]);
});

const zones = ['UTC', 'Asia/Kathmandu', 'America/Santiago', 'Africa/Cairo', 'America/Havana'];
const moment = fc
  .tuple(
    // Days of 23 and 25 hours of these zones.
    fc.constantFrom('2026-04-05', '2026-04-24', '2026-09-06', '2026-10-30', '2026-11-01'),
    fc.integer({ min: -40, max: 40 }),
  )
  .map(([day, steps]) => new Date(Date.parse(day) + steps * 1_800_000 - (steps % 2)).toISOString());
const who = fc.nat(2);
const change = fc.integer({ min: -3, max: 3 });
const zone = fc.constantFrom(...zones);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('give'), moment, who, change }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('revoke'), moment, who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move'), moment, who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('zone'), moment, who, zone }) },
);

it('daily sums match the records after any changes of the time zone', async () => {
  const own = await createSampleSchool(await test.signIn());
  const key = await own.issue({});
  const [from, to] = own.grades[0].classes;
  const written: { id: number; change: number; at: string }[] = [];
  let zone = 'UTC';
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      for (const each of steps) {
        test.clock.set(each.moment);
        const { id } = from.students[each.who] as { id: number };
        if ('change' in each) {
          written.push({ id: await key.give(id, each.change), change: each.change, at: each.moment });
        } else if ('zone' in each) zone = await follow(each.zone, own);
        else if (each.do === 'move') {
          const { classId } = await key.read<{ classId: number }>(`/students/${id}`);
          const target = { classId: classId === from.id ? to.id : from.id };
          expect((await key.patch(`/students/${id}`, target)).code).toBe(0);
        } else {
          const gone = written.splice(each.who, 1)[0];
          if (gone) expect((await key.delete(`/scores/${gone.id}`)).code).toBe(0);
        }
      }
      await test.expectVerifiedLedger();
      test.clock.set('2026-12-01T12:00:00.000Z');
      const counts = new Map<string, number>();
      for (const { at } of written) {
        const day = dayAt(zone, Date.parse(at));
        counts.set(day, (counts.get(day) ?? 0) + 1);
      }
      // The earlier session has ended.
      const later = await test.signIn();
      const totals = await later.read<DayTotals[]>(`/stats/records?schoolDb=${own.schoolDb}&days=366`);
      const found = totals.filter(({ count }) => count > 0);
      expect(new Map(found.map(({ date, count }) => [date, count]))).toEqual(new Map([...counts].sort()));
    }),
    { numRuns: 4, seed: 23, endOnFailure: true },
  );
});

describe('While the time zone changes', async () => {
  const race = await openRaceSchool();
  const [klass] = race.school.grades[0].classes;

  it('points given while the time zone changes count on the right day, and other schools do not wait', async () => {
    test.clock.set('2026-09-15T20:00:00.000Z');
    const chief = await test.signIn();
    const elsewhere = await createSampleSchool(chief, 'Elsewhere');
    const there = await elsewhere.issue({});
    for (const isWriteFirst of [true, false]) {
      const held = await LockedRows.ofClass(race.test, klass.id);
      const write = () => race.here.post('/scores', { userId: klass.students[0].id, scoreChange: 1 });
      const change = () =>
        follow(isWriteFirst ? 'Asia/Shanghai' : 'America/Santiago', race.school, race.other);
      const ways = isWriteFirst ? [write, change] : [change, write];
      const under: Promise<unknown>[] = [];
      for (const [i, begin] of ways.entries()) {
        under.push(begin());
        await (begin === write && i === 0 ? held.waitUntilBlocked(1) : held.waitUntilWaiting(i + 1));
      }
      await there.give(elsewhere.grades[0].classes[0].students[0].id, 1);
      await follow('Asia/Tokyo', elsewhere, race.other);
      await held.release();
      await Promise.all(under);
      await race.expectVerifiedLedger();
    }
    const days = await chief.get(`/stats/records?schoolDb=${race.school.schoolDb}&days=2`);
    expect(days.data).toMatchObject([{ count: 0 }, { date: '2026-09-15', count: 2 }]);
  });

  it('points, revocations, moves and new classes while the time zone changes leave correct sums', async () => {
    const zones = ['America/Santiago', 'UTC', 'Asia/Kathmandu', 'Pacific/Kiritimati'];
    const revoked = await Promise.all(klass.students.map(({ id }) => race.newRecord(id)));
    const other = race.school.grades[0].classes[1].id;
    const work = sendWrites(race.sender, klass.students, 40);
    const changes = zones.map((zone, i) => follow(zone, race.school, i % 2 ? test : race.other));
    const rest = [
      ...revoked.map((id, i) => race.sender(i).delete(`/scores/${id}`)),
      ...klass.students.map(({ id }, i) => race.sender(i).patch(`/students/${id}`, { classId: other })),
      race.newGrade().then(async (gradeId) => {
        const made = await race.newClass(gradeId, 2);
        await Promise.all(made.students.map(({ id }) => race.newRecord(id)));
      }),
    ];
    for (const answer of await Promise.all(work)) expect(answer.code).toBe(0);
    await Promise.all([...changes, ...rest]);
    await race.expectVerifiedLedger();
  });
});
