import type { ListedStudent } from '@classledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSchool } from '../../../test/test-app.ts';
import { checkedOutcomes, outcomesOf, TestImports } from '../../../test/test-imports.ts';

const { test, admin, school, office } = await openSchool();
const { schoolDb } = school;
const classes = school.grades.flatMap((grade) => grade.classes);

const nat = (max: number) => fc.nat(max);
const row = fc.record({
  username: nat(15),
  externalId: fc.option(nat(15), { nil: undefined }),
  cardNumber: fc.option(nat(15), { nil: undefined }),
  actualName: fc.option(fc.constantFrom('张 三', '张三', 'Ann  Lee', 'Ａnn Lee', 'Bo'), { nil: undefined }),
  place: fc.option(nat(3), { nil: undefined }),
  disabled: fc.option(fc.boolean(), { nil: undefined }),
});
const list = fc.record({
  rows: fc.array(row, { minLength: 1, maxLength: 14 }),
  missing: fc.constantFrom('leave' as const, 'disable' as const, 'move' as const),
  /** The class to which the first missing student moves between the check and the run. */
  gap: fc.option(nat(3), { nil: null }),
});
type Row = typeof row extends fc.Arbitrary<infer R> ? R : never;

const entryOf = ({ username, externalId, cardNumber, actualName, place, disabled }: Row) => ({
  username: username < 12 ? `s${username}` : `n${username}`,
  ...(externalId !== undefined && { externalId: `e${externalId}` }),
  ...(cardNumber !== undefined && { cardNumber: `c${cardNumber}` }),
  ...(actualName !== undefined && { actualName }),
  ...(disabled !== undefined && { disabled }),
  ...(place !== undefined && { classId: classes[place]?.id as number }),
});
type SentEntry = ReturnType<typeof entryOf>;

const imports = new TestImports(test, schoolDb, admin);
const readStudents = async () => {
  const all = (await admin.get(`/users?schoolDb=${schoolDb}`)).data as ListedStudent[];
  // The undo changes `updatedAt`, too.
  return all.map(({ updatedAt: _, ...student }) => student);
};

/** Drops repeated rows, as the pages do. */
function withoutRepeats(rows: readonly Row[]): SentEntry[] {
  const seen = new Set<string>();
  return rows.map(entryOf).filter((entry) => {
    const names = [entry.username, entry.externalId ?? '', entry.cardNumber ?? ''].filter(Boolean);
    const isNew = names.every((name) => !seen.has(name));
    for (const name of names) seen.add(name);
    return isNew;
  });
}

const mayChange = ({ action }: { readonly action: string | null }) =>
  action === 'created' || action === 'updated';

describe('Import of any list into any school', () => {
  it('does what the check predicted, changes nothing on repetition, and can be undone completely', async () => {
    await office.post('/scores', { userId: classes[0]?.students[0]?.id, scoreChange: 3 });
    await fc.assert(
      fc.asyncProperty(list, async ({ rows, missing, gap }) => {
        const entries = withoutRepeats(rows);
        const checked = await imports.check(entries);
        const done = entries.filter((_, i) =>
          checked.details.some((one) => one.index === i && mayChange(one)),
        );
        const named = new Set(entries.map(({ username }) => username));
        const ids = new Set(checked.details.map(({ id }) => id));
        const left = (await readStudents())
          .filter(({ id, username }) => !named.has(username) && !ids.has(id))
          .slice(0, 4);
        const [moved] = left;
        if (moved && gap !== null) {
          const answer = await admin.patch(`/users/${moved.id}`, { schoolDb, classId: classes[gap]?.id });
          expect(answer.status).toBe(200);
        }
        const before = await readStudents();
        const change = missing === 'disable' ? { disabled: true } : { classId: classes[3]?.id };
        const missed = (missing === 'leave' ? [] : left).map(({ id, username, classId: seenClassId }) => ({
          ...{ username, seenUserId: id, seenClassId, missing: true },
          ...change,
        }));
        if (done.length + missed.length === 0) return;
        const { id, rows: results } = await imports.run([...done, ...missed]);
        const found = outcomesOf(results, await imports.effects(id));
        expect(found.slice(0, done.length)).toEqual(checkedOutcomes(checked).filter(mayChange));
        const hasMoved = gap !== null && classes[gap]?.id !== moved?.classId;
        expect(found.slice(done.length).map(({ code }) => code === 0)).toEqual(
          missed.map((_, i) => i > 0 || !hasMoved),
        );
        if (hasMoved && missed.length > 0) {
          const now = (await readStudents()).find(({ id: own }) => own === moved?.id);
          expect(now).toEqual(before.find(({ id: own }) => own === moved?.id));
        }
        if (done.length > 0) {
          const again = await imports.check(done);
          expect(again.details.map(({ action }) => action)).toEqual(done.map(() => 'unchanged'));
        }
        expect(await imports.undo(id)).toMatchObject({ keptCount: 0, state: 'undone' });
        expect(await readStudents()).toEqual(before);
        if (done.length > 0) await imports.run(done);
        await test.expectVerifiedLedger();
      }),
      { numRuns: 5, seed: 20_261_122 },
    );
  });
});
