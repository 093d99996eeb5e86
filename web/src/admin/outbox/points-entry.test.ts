import type { Student } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { addSavedPoints, addSavedTeamPoints, type SavedPoints } from './points-entry.ts';
import { itPlays } from './testing/play-story.ts';

describe('Points given by a teacher', () => {
  itPlays({
    'show before anything is sent': 'give:1,2 points=sending pending:1=2 pending:2=2 pending:3=0',
    'are resent with their idempotency key until the server answers, with growing pauses, and count once': `
      requestLost answerLost answerLost give:1 400s
      points=done attemptsAt=0,500,1500,3500 total:1=2 pending:1=0`,
    'that the server refuses show the reason and change no total, and an undo comes too late':
      'refuse give:1 0s undo points=refused takenBack=false problem=403,no pending:1=0',
    'are unsure instead of refused if an earlier attempt may have been saved':
      'answerLost give:1 0s refuse 400s points=unsure problem=403,no',
    'can be dismissed only if the server refused them':
      'refuse give:1 0s accept give:1 0s giveUp points=done giveUp points=done',
    'whose idempotency key is in use wait without a counted failure, and delay no other points':
      'inUse give:1 give:2 999ms points=done,waiting failures=0 1ms points=done,done',
    'that the server fails to write delay no other points, and the teacher can give them up': `
      failAt:1 give:1 give:2 0s points=done,waiting failures=1 giveUp points=done,waiting
      3500ms give:2 0s total:2=4 giveUp points=done,done unsettledPoints=0`,
    'are sent at once when the network is back, and only once': `
      requestLost give:1 0s points=waiting unsettledPoints=1
      retry 0s points=done unsettledPoints=0 400s total:1=2`,
    'leave the list after fifty newer points were answered': `
      give:1 ${'0s give:2 '.repeat(50)} listed=50 oldest=2`,
    // The server no longer has the record of the first points, so it refuses to revoke it.
    'are forgotten after sign-out if saved or undone; unsent and refused points remain for the same person': `
      give:1 give:2 give:3 0s deleteRecord:0 undo:2 undo:0 0s refuse give:3 0s requestLost give:4 0s
      points=waiting,refused,undone,done,done signOut points=waiting,refused,done stuck=1
      page:2 points=waiting,refused,done stuck=1`,
    'with an unreadable answer delay no other points':
      'unreadable give:1 give:2 0s points=done,waiting failures=1 400s points=done,done total:1=2',
    'wait as long as the latest answer asks, after an earlier pause was cut short':
      'turnedAway turnedAway give:1 0s retry 500ms points=waiting 500ms points=done',
  });
});

describe('Undone points', () => {
  itPlays({
    'show as undone at once and leave no points on the server':
      'give:1 undo pending:1=0 0s points=undone total:1=0',
    'are also undone by the next page after a crash':
      'answerLost give:1 undo 0s pageAfterCrash pending:1=0 0s points=undone total:1=0',
    'are never sent if the server has not received them': `
      turnedAway give:1 give:2 undo:1 points=undone,sending undo points=undone,sending takenBack=true
      400s points=undone,undone total:1= total:2=`,
    'are sent and then undone if the server failed at them, because they may be stored':
      'brokenAfter give:1 0s undo points=waiting takenBack=true 400s points=undone total:1=0',
    'for several students revert the existing records if one record is gone': `
      give:1,2,3 0s deleteRecord:1 arrives requestLost undo 400s
      points=undone stuck=2 problem=404,gone total:1=0 total:2=2 total:3=0`,
    'still count as given if no record to revoke exists':
      'give:1 0s deleteRecord:0 undo 0s points=done stuck=1 takenBack=false',
    'count again when the user gives up the undo':
      'give:1 0s broken broken broken broken undo 5s points=undoing pending:1=-2 giveUp points=done pending:1=0',
  });
});

/** After each of the first three failures. */
const stillPending = [
  '0s pending:1=2 failures=1 mayGiveUp=false 500ms pending:1=2 failures=2 mayGiveUp=false',
  '1s pending:1=2 failures=3 mayGiveUp=false 2s failures=4 mayGiveUp=true',
].join(' ');

describe('Totals of students', () => {
  itPlays({
    'are reported once when points are saved, and once when points are undone':
      'answerLost give:1,3 400s give:2 0s undo:1 0s reported=1+3:2late,2:2,2:-2',
    'fetched while points are being sent are uncertain only for the students of these points': `
      failsAfter remember give:1 give:2 unclear=1 0s unclear=1,2
      remember unclear=1 400s unclear=1 remember unclear= undo unclear=1`,
    'are certain if the server surely did not write the points':
      'turnedAway give:1 give:2 remember 0s unclear=1 remember unclear= pending:1=2',
    'exclude points after four failures, the first of which may have saved them': `
      failsAfter failsBefore failsBefore failsBefore give:1 ${stillPending}
      pending:1=0 saveStatus=doubtful 400s points=done reported=:2late`,
    'include points after four failures that most likely saved nothing': `
      broken broken broken broken give:1 ${stillPending}
      pending:1=2 saveStatus=failed 400s points=done reported=1:2late`,
  });
});

describe('Points given long ago', () => {
  itPlays({
    'are unsure in the next page and not resent automatically, because their key may have expired': `
      answerLost give:1 0s clock:20h clock:1ms
      pageAfterCrash 0s points=unsure unsettledPoints=0 pending:1=0 attempts=1 sendAgain 0s points=done`,
    'are also unsure if the clock was set back by 20 hours, so that their age is unknown': `
      answerLost give:1 0s clock:-20h
      pageAfterCrash 0s points=unsure unsettledPoints=0 pending:1=0 attempts=1 sendAgain 0s points=done`,
    'cannot be resent if their undo was requested': `
      answerLost give:1 0s undo clock:20h clock:1ms 400s
      sendAgain 0s points=unsure takenBack=true giveUp points=`,
    'are resent if the server certainly never received them':
      'turnedAway give:1 0s clock:20h clock:1ms 400s points=done total:1=2',
    'can be given up by the user':
      'requestLost give:1 0s giveUp points=waiting clock:20h clock:1ms 400s giveUp points= total:1=',
  });
});

const none = new Set<number>();
const once: SavedPoints = { studentIds: none, teamIds: none, change: 3, times: 1, isLate: false };

it.each([
  [3, 1, { totalScore: 8, addScore: 9, deductScore: -1, scoreCount: 3 }],
  [-1, 1, { totalScore: 4, addScore: 6, deductScore: -2, scoreCount: 3 }],
  [-1, -1, { totalScore: 6, addScore: 6, deductScore: 0, scoreCount: 1 }],
] as const)(
  'saved points of %i, %i times, change the right sums of their student only',
  (change, times, sums) => {
    const totals = { totalScore: 5, addScore: 6, deductScore: -1, scoreCount: 2 };
    const roster = [1, 2].map((id) => ({ id, ...totals }) as Student);
    const [other, student] = addSavedPoints(roster, { ...once, studentIds: new Set([2]), change, times });
    expect(other).toBe(roster[0]);
    expect(student).toMatchObject(sums);
  },
);

it('saved points change the team’s own points, or its members’ points, averaged over the members', () => {
  const team = (id: number, userIds: number[]) => ({
    ...{ id, name: `Team ${id}`, colour: 1, rank: 1 },
    ...{ userIds, memberPoints: 6, ownPoints: 1, points: 4 },
  });
  const teams = [team(1, [1, 2]), team(2, [3, 4])];
  const known = { classId: 1, version: '1', ranking: 'average' as const, teams };
  const own = addSavedTeamPoints(known, { ...once, teamIds: new Set([2]) });
  expect(own.teams[0]).toBe(teams[0]);
  expect(own.teams[1]).toMatchObject({ memberPoints: 6, ownPoints: 4, points: 7 });
  const back: SavedPoints = { ...once, studentIds: new Set([1, 3, 9]), times: -1 };
  const less = { memberPoints: 3, ownPoints: 1, points: 2.5 };
  expect(addSavedTeamPoints(known, back).teams).toMatchObject([less, less]);
  expect(addSavedTeamPoints({ ...known, ranking: 'sum' }, back).teams[0]).toMatchObject({ points: 1 });
});
