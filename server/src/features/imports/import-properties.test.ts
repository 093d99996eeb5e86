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

const check = async (batch: readonly object[], missing = false) =>
  (await admin.post('/imports/check', { schoolDb, batch, missing })).data as ImportedStudents;
const readStudents = async () => {
  const all = (await admin.get(`/users?schoolDb=${schoolDb}`)).data as ListedStudent[];
  // The undo changes `updatedAt`, too.
  return all.map(({ updatedAt: _, ...student }) => student);
};

const splitIntoParts = <T>(entries: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(entries.length / size) }, (_, i) => entries.slice(i * size, (i + 1) * size));

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

type CheckDetail = ImportedStudents['details'][number];
interface CheckedEntry {
  readonly entry: SentEntry & { readonly seenUserId: number | null };
  readonly detail: CheckDetail;
}

/** Returns the parts that the pages send after the check: entries with a change. */
async function checkInParts(entries: readonly SentEntry[], size: number): Promise<CheckedEntry[][]> {
  const claimedIds = new Set<number>();
  const parts: CheckedEntry[][] = [];
  for (const part of splitIntoParts(entries, size)) {
    let left = part;
    let checked: CheckedEntry[] = [];
    let isSettled = false;
    while (left.length > 0 && !isSettled) {
      const { details } = await check(left);
      checked = left.map((entry, i) => {
        const detail = details[i] as CheckDetail;
        return { entry: { ...entry, seenUserId: detail.id }, detail };
      });
      const others = checked.filter(({ detail: { id } }) => id === null || !claimedIds.has(id));
      isSettled = others.length === checked.length;
      left = left.filter((_, i) => others.includes(checked[i] as CheckedEntry));
      checked = others;
    }
    for (const { detail } of checked) if (detail.id !== null) claimedIds.add(detail.id);
    parts.push(checked.filter(({ detail }) => detail.action === 'created' || detail.action === 'updated'));
  }
  return parts.filter(({ length }) => length > 0);
}

describe('Import of any list into any school', () => {
  it('does what the check predicted, changes nothing on repetition, and can be undone completely', async () => {
    await office.post('/scores', { userId: classes[0]?.students[0]?.id, scoreChange: 3 });
    await fc.assert(
      fc.asyncProperty(list, async ({ rows, cuts, missing, gap }) => {
        const entries = withoutRepeats(rows);
        const parts = await checkInParts(entries, cuts);
        const done = parts.flat().map(({ entry: { seenUserId: _, ...entry } }) => entry);
        const named = new Set(entries.map(({ username }) => username));
        const ids = new Set(parts.flat().map(({ detail }) => detail.id));
        const left = (await readStudents())
          .filter(({ id, username }) => !named.has(username) && !ids.has(id))
          .slice(0, 4);
        const [moved] = left;
        if (moved && gap !== null) {
          const answer = await admin.patch(`/users/${moved.id}`, { schoolDb, classId: classes[gap]?.id });
          expect(answer.status).toBe(200);
        }
        const before = await readStudents();
        const run = async () => {
          const { id } = await admin.created<ImportRun>('/imports', { schoolDb, source: 'list' });
          const put = async (batch: readonly object[], more: object = {}) =>
            (
              (await admin.put(`/imports/${id}/students`, { schoolDb, batch, ...more }))
                .data as ImportedStudents
            ).details;
          for (const part of parts) {
            const summary = ({ action, before: was, after }: CheckDetail) => [action, was, after];
            const details = await put(part.map(({ entry }) => entry));
            expect(details.map(summary)).toEqual(part.map((one) => summary(one.detail)));
          }
          const change = missing === 'disable' ? { disabled: true } : { classId: classes[3]?.id };
          const batch = left.map(({ id: seenUserId, username, classId: seenClassId }) => ({
            ...{ username, seenUserId, seenClassId },
            ...change,
          }));
          if (missing === 'leave' || batch.length === 0) return id;
          const details = await put(batch, { missing: true });
          const hasMoved = gap !== null && classes[gap]?.id !== moved?.classId;
          expect(details.map(({ success }) => success)).toEqual(left.map((_, i) => i > 0 || !hasMoved));
          if (hasMoved) {
            const now = (await readStudents()).find(({ id: own }) => own === moved?.id);
            expect(now).toEqual(before.find(({ id: own }) => own === moved?.id));
          }
          return id;
        };
        const id = await run();
        for (const batch of splitIntoParts(done, 200)) {
          const again = await check(batch);
          expect(again.details.map(({ action }) => action)).toEqual(batch.map(() => 'unchanged'));
        }
        const { data } = await admin.post(`/imports/${id}/undo`, { schoolDb });
        expect(data).toMatchObject({ keptCount: 0, already: false });
        expect(await readStudents()).toEqual(before);
        const next = await admin.created<ImportRun>('/imports', { schoolDb, source: 'list' });
        for (const batch of splitIntoParts(done, cuts)) {
          await admin.put(`/imports/${next.id}/students`, { schoolDb, batch });
        }
        await test.expectProven();
      }),
      { numRuns: 5, seed: 20_261_122 },
    );
  });
});
