import type { ClassTeams, ScoreLog, TeamRecord } from '@classledger/contract';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import type { AdminClient } from '../../../test/identities.ts';
import { openRaceSchool } from '../../../test/race-school.ts';
import { testSeed } from '../../../test/random.ts';
import type { SampleStudent } from '../../../test/test-app.ts';
import { rankTeams, type UnrankedTeam } from './teams.ts';

const race = await openRaceSchool();
const admin = await race.test.signIn();
const colleague = await race.other.signIn();
const { schoolDb } = race.school;
const gradeId = await race.newGrade();

let classId: number;
let students: SampleStudent[];
beforeEach(async () => {
  ({ id: classId, students } = await race.newClass(gradeId, 6));
});

const id = (i: number) => students[i]?.id as number;
const teamsOf = () => admin.read<ClassTeams>(`/teams?schoolDb=${schoolDb}&classId=${classId}`);
const membersOf = async () => (await teamsOf()).teams.map(({ userIds }) => userIds);

type Wanted = { readonly id?: number; readonly name: string; readonly userIds: readonly number[] };
async function replace(teams: readonly Wanted[], more: object = {}, headers = {}) {
  const { version } = await teamsOf();
  const coloured = teams.map((team) => ({ colour: 1, ...team }));
  return admin.post('/teams', { schoolDb, classId, version, teams: coloured, ...more }, headers);
}
async function twoTeams(): Promise<[number, number]> {
  const made = await replace([
    { name: 'Comets', userIds: [id(0), id(1), id(2)] },
    { name: 'Rockets', userIds: [id(3), id(4), id(5)] },
  ]);
  // Points given from now on are later than the joining.
  race.test.clock.advance(1_000);
  const { teams } = made.data as ClassTeams;
  return teams.map((team) => team.id) as [number, number];
}
const give = (userId: number, scoreChange: number) =>
  admin.created<{ log: ScoreLog }>('/scores/add', { schoolDb, userId, scoreChange });
const giveTeams = (teamIds: readonly number[], scoreChange: number, headers = {}, by: AdminClient = admin) =>
  by.post('/teams/records', { schoolDb, classId, teamIds, scoreChange, description: 'Tidy' }, headers);
const recordsOf = () => admin.read<TeamRecord[]>(`/teams/records?schoolDb=${schoolDb}&classId=${classId}`);
const revoke = (ids: readonly number[]) => admin.post('/teams/records/revoke', { schoolDb, classId, ids });
/** Returns the points of the members, the own points, the points and the rank of each team. */
const pointsOf = async () =>
  (await teamsOf()).teams.map(({ memberPoints, ownPoints, points, rank }) =>
    [memberPoints, ownPoints, points, rank].join(' '),
  );

it('POST /teams replaces all teams and keeps their order; a student of the class is in one team only', async () => {
  const { version: outdated } = await teamsOf();
  const [comets, rockets] = await twoTeams();
  const wanted = [
    { id: rockets, name: 'Rockets 2', userIds: [id(5), id(0)] },
    { name: 'New', userIds: [] },
    { id: comets, name: 'Comets', userIds: [id(1)] },
  ];
  const swapped = await replace(wanted);
  const teams = wanted.map((team) => ({ ...team, userIds: team.userIds.toSorted((a, b) => a - b) }));
  expect(swapped.data).toMatchObject({ classId, teams });
  expect(await teamsOf()).toEqual(swapped.data);

  const [stranger] = race.school.grades[0].classes[0].students;
  const one = { name: 'A', userIds: [id(0)] };
  for (const [refused, status, message, more] of [
    [[one, { name: 'B', userIds: [id(0)] }], 400, /Student \d+ is listed twice/],
    [[one, { name: 'A', userIds: [] }], 400, /The name "A" is listed twice/],
    [[{ name: 'A', userIds: [stranger?.id as number] }], 400, /is not in this class/],
    [[{ name: 'A', userIds: [999_999_999] }], 404, /Student 999999999/],
    [[{ id: 999_999_999, name: 'A', userIds: [] }], 404, /Team 999999999/],
    [[one], 409, /Somebody else/, { version: outdated }],
  ] as [Wanted[], number, RegExp, object?][]) {
    expect(await replace(refused, more)).toMatchObject({ status, message: expect.stringMatching(message) });
  }
  expect(await teamsOf()).toEqual(swapped.data);
});

it('replaying the answer of replaced teams leaves out a student who was erased since', async () => {
  const key = { 'idempotency-key': `teams of class ${classId}` };
  const seen = [{ name: 'Comets', userIds: [id(2), id(3)] }];
  expect((await replace(seen, {}, key)).data).toMatchObject({ teams: [{ userIds: [id(2), id(3)] }] });
  await admin.post(`/users/${id(3)}/erase`, { schoolDb });
  expect((await replace(seen, {}, key)).data).toMatchObject({ teams: [{ userIds: [id(2)] }] });
});

it('teams lose moved, erased and deleted members, keep their own points, and get enabled members back', async () => {
  const [comets, rockets] = await twoTeams();
  await give(id(0), 4);
  await give(id(3), 5);
  await give(id(4), 6);
  await giveTeams([comets], 3);
  const other = await race.newClass(gradeId, 1);
  await admin.patch(`/users/${id(0)}`, { schoolDb, classId: other.id });
  await admin.patch(`/users/${id(1)}`, { schoolDb, disabled: true });
  await admin.post(`/users/${id(3)}/erase`, { schoolDb });
  await admin.delete(`/users/${id(4)}?schoolDb=${schoolDb}`);
  expect(await membersOf()).toEqual([[id(2)], [id(5)]]);
  expect(await pointsOf()).toEqual(['0 3 3 1', '0 0 0 2']);
  await replace([
    { id: comets, name: 'Comets', userIds: [id(2)] },
    { id: rockets, name: 'Rockets', userIds: [id(5)] },
  ]);
  await admin.patch(`/users/${id(1)}`, { schoolDb, disabled: false });
  expect(await membersOf()).toEqual([[id(1), id(2)], [id(5)]]);
  await admin.patch(`/users/${id(0)}`, { schoolDb, classId });
  expect(await membersOf()).toEqual([[id(1), id(2)], [id(5)]]);
  await race.test.expectVerifiedLedger();
  expect(await admin.delete(`/classes/${classId}?schoolDb=${schoolDb}`)).toMatchObject({ status: 200 });
  const rows = await race.test.rows(
    'SELECT id FROM team WHERE class_id = $1 UNION ALL SELECT id FROM team_record WHERE team_id = $2',
    classId,
    comets,
  );
  expect(rows).toEqual([]);
});

it('a team has the points of its members since joining, plus its own points, which no student has', async () => {
  await give(id(0), 50);
  race.test.clock.advance(1_000);
  const [comets, rockets] = await twoTeams();
  await give(id(0), 4);
  await give(id(1), -1);
  await give(id(3), 3);
  const given = await giveTeams([rockets, comets], 2);
  const record = { teamName: 'Rockets', scoreChange: 2, description: 'Tidy', revokedAt: null };
  expect(given.data).toMatchObject({ records: [{ teamId: rockets, ...record }, { teamId: comets }] });
  expect(await pointsOf()).toEqual(['3 2 3 1', '3 2 3 1']);
  expect(await admin.read(`/users/${id(0)}?schoolDb=${schoolDb}`)).toMatchObject({ totalScore: 54 });

  const ids = (given.data as { records: TeamRecord[] }).records.map((record) => record.id);
  expect((await revoke([ids[0] as number])).data).toEqual({ revoked: 1 });
  expect((await revoke(ids)).data).toEqual({ revoked: 1 });
  expect((await revoke(ids)).data).toEqual({ revoked: 0 });
  expect(await recordsOf()).toMatchObject(
    ids.map((record) => ({ id: record, author: { name: 'admin' }, revokedBy: { name: 'admin' } })),
  );
  expect((await revoke([999_999_999])).status).toBe(404);
  race.test.clock.advance(1_000);
  // A student who changes teams begins at 0 there. A student who stays keeps the points, unless `anew` is set.
  const moved = [
    { id: comets, name: 'Comets', userIds: [id(1), id(2)] },
    { id: rockets, name: 'Rockets', userIds: [id(0), id(3)] },
  ];
  await replace(moved, { ranking: 'sum' });
  expect(await pointsOf()).toEqual(['-1 0 -1 2', '3 0 3 1']);
  race.test.clock.advance(1_000);
  // `anew` also resets a disabled member, who returns later.
  const away = id(0);
  const setDisabled = (disabled: boolean) => admin.patch(`/users/${away}`, { schoolDb, disabled });
  expect((await setDisabled(true)).status).toBe(200);
  const rest = [moved[0], { id: rockets, name: 'Rockets', userIds: [id(3)] }] as typeof moved;
  expect((await replace(rest, { anew: true })).status).toBe(200);
  expect((await setDisabled(false)).status).toBe(200);
  expect(await pointsOf()).toEqual(['0 0 0 1', '0 0 0 1']);
});

it('points of teams belong to the term that ends; teams stay, and closed records cannot be revoked', async () => {
  const [comets] = await twoTeams();
  await give(id(0), 6);
  await giveTeams([comets], 2);
  const body = { schoolDb, classId, action: 'archive' };
  const { term } = await admin.created<{ term: { id: number } }>('/admin/term-switch', body);
  race.test.clock.advance(1_000);
  await give(id(1), 3);
  expect(await pointsOf()).toEqual(['3 0 1 1', '0 0 0 2']);
  const [record] = await recordsOf();
  expect(record).toMatchObject({ teamId: comets, termId: term.id });
  expect(await revoke([record?.id as number])).toMatchObject({ status: 409 });
  await race.test.expectVerifiedLedger();
});

it('points for a team count once per idempotency key, and parallel writes lose none of them', async () => {
  const [comets, rockets] = await twoTeams();
  const key = { 'idempotency-key': `of team ${comets}` };
  const both = await Promise.all([admin, colleague].map((by) => giveTeams([comets], 2, key, by)));
  // A request with the same key may get an error that asks to retry.
  const again = await giveTeams([comets], 2, key, colleague);
  const done = [...both, again].filter(({ status }) => status === 200);
  for (const { data } of done) expect(data).toEqual(again.data);
  expect((await recordsOf()).length).toBe(1);
  const writers = Array.from({ length: 16 }, (_, i) => (i % 2 === 0 ? admin : colleague));
  const all = await Promise.all(writers.map((by) => giveTeams([comets, rockets], 1, {}, by)));
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
  expect((await teamsOf()).teams.map(({ ownPoints }) => ownPoints)).toEqual([18, 16]);
  // Either call may come first; no record of a deleted team remains.
  const [changed, given] = await Promise.all([
    replace([{ id: rockets, name: 'Rockets', userIds: [] }]),
    giveTeams([comets], 1, {}, colleague),
  ]);
  expect(changed.status).toBe(200);
  expect([200, 404]).toContain(given.status);
  expect((await recordsOf()).every(({ teamId }) => teamId === rockets)).toBe(true);
});

it('points of teams match any sequence of changes of members and records', async () => {
  const pupil = fc.nat(5);
  const change = fc.integer({ min: -5, max: 9 });
  const step = fc.oneof(
    fc.record({ does: fc.constant('give' as const), pupil, change }),
    fc.record({ does: fc.constant('team' as const), team: fc.nat(1), change }),
    fc.record({ does: fc.constant('move' as const), pupil, team: fc.nat(2) }),
    fc.record({ does: fc.constant('revoke' as const), which: fc.nat(30) }),
    fc.record({ does: fc.constant('undo' as const), which: fc.nat(30) }),
  );
  const run = async (steps: (typeof step extends fc.Arbitrary<infer S> ? S : never)[]) => {
    const ids = await twoTeams();
    const teamOf = [0, 0, 0, 1, 1, 1];
    const records = new Map<number, { pupil: number; change: number; counts: boolean }>();
    const own = new Map<number, { team: number; change: number }>();
    const takeOut = (list: Map<number, unknown>, which: number) => {
      const gone = [...list.keys()][which % list.size];
      return gone !== undefined && list.delete(gone) ? gone : 999_999_999;
    };
    for (const now of steps) {
      race.test.clock.advance(1_000);
      if (now.does === 'give') {
        const { log } = await give(id(now.pupil), now.change);
        records.set(log.id, { ...now, counts: true });
      } else if (now.does === 'team') {
        const { data } = await giveTeams([ids[now.team] as number], now.change);
        for (const made of (data as { records: TeamRecord[] }).records) own.set(made.id, now);
      } else if (now.does === 'move') {
        const isMoved = teamOf[now.pupil] !== now.team;
        teamOf[now.pupil] = now.team;
        for (const one of records.values()) if (isMoved && one.pupil === now.pupil) one.counts = false;
        const wanted = ids.map((teamId, team) => ({
          ...{ id: teamId, name: `Team ${team}` },
          userIds: teamOf.flatMap((its, i) => (its === team ? [id(i)] : [])),
        }));
        expect(await replace(wanted)).toMatchObject({ status: 200 });
      } else if (now.does === 'revoke') {
        await admin.delete(`/scores/logs/${takeOut(records, now.which)}?schoolDb=${schoolDb}`);
      } else {
        await revoke([takeOut(own, now.which)]);
      }
    }
    const sum = (list: readonly { change: number }[]) => list.reduce((all, one) => all + one.change, 0);
    const { teams } = await teamsOf();
    for (const [team, { memberPoints, ownPoints }] of teams.entries()) {
      const ofMembers = [...records.values()].filter((one) => one.counts && teamOf[one.pupil] === team);
      expect(memberPoints).toBe(sum(ofMembers));
      expect(ownPoints).toBe(sum([...own.values()].filter((one) => one.team === team)));
    }
    await race.test.expectVerifiedLedger();
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 40 }), run), {
    ...{ seed: testSeed, numRuns: 1, endOnFailure: true },
  });
});

const unranked = (id: number, size: number, memberPoints: number, ownPoints: number): UnrankedTeam => ({
  ...{ id, name: `Team ${id}`, colour: 1, memberPoints, ownPoints },
  userIds: Array.from({ length: size }, (_, i) => i + 1),
});

it('a team has its members’ points, as sum or average, plus its own, to a tenth; equal teams share a rank', () => {
  const drawn = fc
    .tuple(fc.nat(30), fc.integer({ min: -500, max: 500 }), fc.integer({ min: -50, max: 50 }))
    .map(([size, members, own]) => unranked(size, size, members, own));
  const teams = fc.array(drawn, { maxLength: 20 });
  const check = (given: UnrankedTeam[], ranking: 'average' | 'sum') => {
    const ranked = rankTeams(given, ranking);
    expect(ranked.map(({ id }) => id)).toEqual(given.map(({ id }) => id));
    for (const one of ranked) {
      const exact =
        (ranking === 'sum' ? one.memberPoints : one.memberPoints / (one.userIds.length || 1)) + one.ownPoints;
      expect(Math.abs(one.points - exact)).toBeLessThanOrEqual(0.05 + 1e-9);
      expect(one.points).toBe(Number(one.points.toFixed(1)));
      expect(one.rank).toBe(1 + ranked.filter(({ points }) => points > one.points).length);
    }
  };
  fc.assert(fc.property(teams, fc.constantFrom('average' as const, 'sum' as const), check), {
    seed: testSeed,
  });
});
