import { limits } from 'virtual:contract';
import type { ListedStudent } from '@classledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchRows } from './batch-rows.ts';
import type { PlannedRow } from './plan-import.ts';

const size = limits.studentsPerBatchMax;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const student = (index: number) =>
  ({ externalId: `e${index}`, username: `u${index}`, cardNumber: `c${index}` }) as ListedStudent;
const row = (who: number, more: Partial<PlannedRow> = {}) =>
  ({
    line: who,
    externalId: `e${who}`,
    username: `u${who}`,
    cardNumber: null,
    problem: null,
    ...more,
  }) as PlannedRow;
const inPart = (batches: readonly (readonly PlannedRow[])[]) =>
  new Map(batches.flatMap((part, place) => part.map((one) => [one, place] as const)));

describe('List cut into requests', () => {
  it('keeps its order without dependencies, and omits faulty rows', () => {
    const rows = numbers(2 * size + 5).map((who) => row(who, { cardNumber: `c${who}` }));
    rows.splice(3, 1, row(3, { problem: 'classUnknown' }));
    const { batches, separated } = batchRows(rows, numbers(size).map(student));
    expect(batches.map(({ length }) => length)).toEqual([size, size, 4]);
    expect(batches.flat()).toEqual(rows.toSpliced(3, 1));
    expect(separated.size).toBe(0);
  });

  it('puts rows that depend on each other into one request, each row once', () => {
    const students = numbers(3 * size).map(student);
    // Rings of students who pass on their usernames or card numbers, near and far separated.
    const ring = fc.record({
      length: fc.integer({ min: 2, max: 90 }),
      step: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(fc.array(ring, { maxLength: 8 }), fc.boolean(), (rings, byCard) => {
        const free = numbers(students.length);
        const takes = new Map<number, number>();
        for (const { length, step } of rings) {
          const members = numbers(length).flatMap(() => free.splice((free.length * step) / 41, 1));
          for (const [i, who] of members.entries())
            takes.set(who, members[(i + 1) % members.length] as number);
        }
        const rows = students.map((_, who) =>
          row(who, { [byCard ? 'cardNumber' : 'username']: `${byCard ? 'c' : 'u'}${takes.get(who) ?? who}` }),
        );
        const { batches, separated } = batchRows(rows, students);
        const place = inPart(batches);
        expect(place.size).toBe(rows.length);
        expect(batches.flat()).toHaveLength(rows.length);
        expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(size);
        for (const [who, other] of takes) {
          expect(place.get(rows[who] as PlannedRow)).toBe(place.get(rows[other] as PlannedRow));
        }
        expect(separated.size).toBe(0);
      }),
      { seed: 20_261_123 },
    );
  });

  it('sees no dependency between rows without a card and a first card', () => {
    const students = numbers(size + 5).map((who) => ({ ...student(who), cardNumber: null }));
    const rows = students.map((_, who) => row(who, who === size ? { cardNumber: 'c1' } : {}));
    const { batches, separated } = batchRows(rows, students);
    expect(batches.flat()).toEqual(rows);
    expect(separated.size).toBe(0);
  });

  it('reports rows with too many dependencies, and sends independent rows first', () => {
    const count = 2 * size + 7;
    const rows = numbers(count).map((who) => row(who, { username: `u${who + 1}` }));
    const alone = row(5000);
    const { batches, separated } = batchRows(
      [...rows, alone],
      [...numbers(count).map(student), student(5000)],
    );
    expect([separated.size, separated.has(alone)]).toEqual([count, false]);
    const place = inPart(batches);
    for (const [who, one] of rows.entries()) {
      const giver = rows[who + 1];
      if (giver) expect(place.get(giver)).toBeLessThanOrEqual(place.get(one) as number);
    }
    // In a cycle, any row may come first.
    const circle = [...rows.slice(0, -1), row(count - 1, { username: 'u0' })];
    expect(batchRows(circle, numbers(count).map(student)).batches.flat()).toHaveLength(count);
  });
});
