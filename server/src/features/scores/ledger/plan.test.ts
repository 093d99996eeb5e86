import type { Student } from '@classledger/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AppError, conflict } from '../../../errors/app-error.ts';
import { type KeyClaim, ReplayedAnswer } from '../../../idempotency/idempotency-keys.ts';
import {
  buildResults,
  type EntryOutcome,
  type LedgerEntry,
  type LockedStudent,
  planWrites,
  type ScoreWrite,
  type WriteResult,
  type WrittenStudents,
} from './plan.ts';

const schoolId = 1;
const school = { schoolId, gradeId: null, classId: null };
const students = Array.from({ length: 7 }, (_, id): LockedStudent => {
  const classId = id % 3;
  return { id, username: `student${id}`, classId, gradeId: classId % 2, archived: false, erased: false };
});
const studentsBefore = students.map(
  ({ id }) => ({ id, totalScore: 0, addScore: 0, deductScore: 0, scoreCount: 0 }) as Student,
);

const range = fc.constantFrom(school, { ...school, gradeId: 1 }, { ...school, classId: 2 });
const day = fc.constantFrom('2026-09-01', '2026-09-02', '2026-09-03');
const change = fc.integer({ min: -5, max: 5 });
const fault = fc.constantFrom(null, null, null, new AppError('missing_field', 'scoreChange is required'));
/** Entries for existing and missing students, by id, username or both, which agree or differ. */
const entry = fc.record({ id: fc.nat(8), other: fc.nat(8), by: fc.nat(3), change, fault }).map(
  ({ id, other, by, ...rest }): LedgerEntry => ({
    ...rest,
    studentId: by === 1 ? null : id,
    username: by === 0 ? null : `student${by === 3 ? other : id}`,
    ...{ externalId: null, cardNumber: null, occurredAt: null, note: null, description: 'Why' },
  }),
);
const key: KeyClaim = { schoolId, owner: 'token 1', key: 'k', endpoint: 'e', requestId: 'r', secret: null };
const earlier = fc.constantFrom(
  null,
  null,
  new ReplayedAnswer('r', 'as before'),
  conflict('The key is in use'),
);
const write = fc.record({
  range,
  day,
  entries: fc.array(entry, { maxLength: 6 }),
  allOrNothing: fc.boolean(),
  includeStudents: fc.boolean(),
  keyed: fc.boolean(),
  earlier,
});
const writes = fc.array(write, { minLength: 1, maxLength: 5 });

type Drawn = (typeof write extends fc.Arbitrary<infer W> ? W : never)[];

interface Answer {
  readonly outcomes: readonly EntryOutcome[];
  readonly students: WrittenStudents;
}

function end(drawn: Drawn) {
  let answers = 0;
  const known = new Map<KeyClaim, ReplayedAnswer | AppError>();
  const asked = drawn.map(({ day, keyed, earlier, ...rest }, i): ScoreWrite<Answer> => {
    const claim = keyed ? { ...key, key: `k${i}` } : null;
    if (claim && earlier) known.set(claim, earlier);
    const answer = (outcomes: readonly EntryOutcome[], of: WrittenStudents) => {
      answers++;
      return { outcomes, students: of };
    };
    const author = { tokenId: i, adminId: null };
    return { ...rest, key: claim, author, at: new Date(`${day}T12:00:00Z`), answer };
  });
  const days = new Map(drawn.map(({ day }) => [`${day}T12:00:00.000Z`, day]));
  const state = { students, days, termStarts: new Map(), studentsBefore, storedAnswers: known };
  const plan = planWrites(asked, state);
  const recordIds = plan.records.map((_, i) => 100 + i);
  return { plan, recordIds, completed: buildResults(plan, recordIds), answers: () => answers };
}

const answerOf = (result: WriteResult | undefined) =>
  result?.kind === 'done' ? (result.answer as Answer) : null;

/** Replaces the record id, which depends on the other writes, with whether there is one. */
const withoutId = ({ recordId, ...outcome }: EntryOutcome) => ({ ...outcome, written: recordId !== null });

const forAnyWrites = (check: (drawn: Drawn) => void) => fc.assert(fc.property(writes, check));

it('writes planned together have the same outcomes as writes planned one by one, and each answer is built once', () =>
  forAnyWrites((drawn) => {
    const { completed, answers } = end(drawn);
    expect(answers()).toBe(completed.filter(({ result }) => result.kind === 'done').length);
    for (const [i, { result }] of completed.entries()) {
      const [alone] = end(drawn.slice(i, i + 1)).completed;
      const [here, there] = [answerOf(result), answerOf(alone?.result)];
      expect(here?.outcomes.map(withoutId)).toEqual(there?.outcomes.map(withoutId));
      expect(here && [...here.students.keys()]).toEqual(there && [...there.students.keys()]);
      if (!here) expect(result).toEqual(alone?.result);
    }
  }));

it('planned writes create one record per successful entry, in order, and none for a refused write', () =>
  forAnyWrites((drawn) => {
    const { plan, recordIds, completed } = end(drawn);
    const outcomes = completed.flatMap(({ result }) => answerOf(result)?.outcomes ?? []);
    const written = outcomes.filter((outcome) => outcome.fault === null);
    expect(written.map(({ recordId }) => recordId)).toEqual(recordIds);
    expect(written.map(({ studentId, change }) => [studentId, change])).toEqual(
      plan.records.map((record) => [record.student.id, record.change]),
    );
    for (const [i, { result }] of completed.entries()) {
      const { allOrNothing, keyed, earlier } = drawn[i] as Drawn[number];
      if (keyed && earlier) expect(result.kind).not.toBe('done');
      if (allOrNothing) expect(answerOf(result)?.outcomes.find(({ fault }) => fault)).toBeUndefined();
    }
  }));

it('each planned write returns the totals of its own students after all writes', () =>
  forAnyWrites((drawn) => {
    const { plan, completed } = end(drawn);
    for (const { write, result } of completed) {
      const answer = answerOf(result);
      if (!answer) continue;
      const reached = answer.outcomes.flatMap(({ fault, studentId }) => (fault ? [] : [studentId as number]));
      expect([...answer.students.keys()]).toEqual(write.includeStudents ? [...new Set(reached)] : []);
      for (const [id, { totalScore, scoreCount }] of answer.students) {
        const own = plan.records.filter(({ student }) => student.id === id);
        expect([totalScore, scoreCount]).toEqual([own.reduce((sum, r) => sum + r.change, 0), own.length]);
      }
    }
  }));
