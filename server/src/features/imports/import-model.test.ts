import type { ImportedStudents, ImportRun, ListedStudent } from '@classledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSchool } from '../../../test/test-app.ts';

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
  cuts: fc.integer({ min: 1, max: 5 }),
  missing: fc.constantFrom('leave' as const, 'disable' as const, 'move' as const),
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

const check = async (batch: readonly object[], missing = false) =>
  (await admin.post('/imports/check', { schoolDb, batch, missing })).data as ImportedStudents;
const everybody = async () => {
  const all = (await admin.get(`/users?schoolDb=${schoolDb}`)).data as ListedStudent[];
  // When it was last changed tells of the undo, too.
  return all.map(({ updatedAt: _, ...student }) => student);
};

/** The rows that the pages would send: each means somebody else, and none is refused. */
async function withoutConflicts(rows: readonly Row[]): Promise<SentEntry[]> {
  const seen = new Set<string>();
  const own = rows.map(entryOf).filter((entry) => {
    const names = [entry.username, entry.externalId ?? '', entry.cardNumber ?? ''].filter(Boolean);
    const isNew = names.every((name) => !seen.has(name));
    for (const name of names) seen.add(name);
    return isNew;
  });
  const ids = new Set<number>();
  const { details } = own.length > 0 ? await check(own) : { details: [] };
  return own.filter((_, i) => {
    const { success, id } = details[i] as (typeof details)[number];
    const isNew = success && (id === null || !ids.has(id));
    if (id !== null) ids.add(id);
    return isNew;
  });
}

const partsOf = <T>(entries: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(entries.length / size) }, (_, i) => entries.slice(i * size, (i + 1) * size));

describe('an import of any list into any school', () => {
  it('does what was told, has nothing to do a second time, and is undone without a trace', async () => {
    await office.post('/scores', { userId: classes[0]?.students[0]?.id, scoreChange: 3 });
    await fc.assert(
      fc.asyncProperty(list, async ({ rows, cuts, missing }) => {
        const entries = await withoutConflicts(rows);
        const before = await everybody();
        const run = async () => {
          const { id } = await admin.created<ImportRun>('/imports', { schoolDb, source: 'list' });
          for (const batch of partsOf(entries, cuts)) {
            const told = await check(batch);
            const answer = await admin.put(`/imports/${id}/students`, { schoolDb, batch });
            const { details } = answer.data as ImportedStudents;
            const withoutIds = (one: ImportedStudents['details'][number]) => [
              one.action,
              one.before,
              one.after,
            ];
            expect(details.map(withoutIds)).toEqual(told.details.map(withoutIds));
          }
          const named = new Set(entries.map(({ username }) => username));
          const left = before.filter(({ username }) => !named.has(username)).slice(0, 4);
          const change = missing === 'disable' ? { disabled: true } : { classId: classes[3]?.id };
          const batch = left.map(({ username }) => ({ username, ...change }));
          if (missing !== 'leave' && batch.length > 0) {
            await admin.put(`/imports/${id}/students`, { schoolDb, batch, missing: true });
          }
          return id;
        };
        const id = await run();
        for (const batch of partsOf(entries, 200)) {
          const again = await check(batch);
          expect(again.details.map(({ action }) => action)).toEqual(batch.map(() => 'unchanged'));
        }
        const { data } = await admin.post(`/imports/${id}/undo`, { schoolDb });
        expect(data).toMatchObject({ keptCount: 0, already: false });
        expect(await everybody()).toEqual(before);
        // The next list meets another school.
        await run();
        await test.expectProven();
      }),
      { numRuns: 10, seed: 20_261_122 },
    );
  });
});
