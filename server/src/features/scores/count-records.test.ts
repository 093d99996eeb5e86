import { dayAt } from '@classledger/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitIntoWholeDays } from './count-records.ts';

const dayMs = 86_400_000;

it('a range of instants is split so that each is in one day or one edge, in zones with clock changes', () => {
  const wide = fc.integer({ min: -3, max: 3 }).chain((day) =>
    fc
      .oneof(
        fc.constantFrom(-1, 0, 1),
        fc.nat(dayMs),
        fc.integer({ min: -48, max: 48 }).map((n) => n * 1_800_000),
      )
      .map((offset) => day * dayMs + offset),
  );
  const around = fc.constantFrom(
    ['UTC', '1970-01-01'] as const,
    ['Asia/Kathmandu', '2026-09-01'] as const,
    ['America/Santiago', '2026-09-06'] as const,
    ['America/Santiago', '2026-04-05'] as const,
    ['America/Havana', '2026-11-01'] as const,
    ['Pacific/Apia', '2011-12-30'] as const,
  );
  fc.assert(
    fc.property(around, fc.option(wide), fc.option(wide), wide, ([zone, noon], a, b, passed) => {
      const middle = Date.parse(noon);
      const probe = middle + passed;
      const [start, end] = (a !== null && b !== null && a > b ? [b, a] : [a, b]).map((ms) =>
        ms === null ? null : ms + middle,
      );
      const iso = (ms: number | null | undefined) => (ms == null ? undefined : new Date(ms).toISOString());
      const { firstDay, lastDay, edges } = splitIntoWholeDays(zone, iso(start), iso(end));
      const day = dayAt(zone, probe);
      const inDays = (firstDay === null || day >= firstDay) && (lastDay === null || day <= lastDay);
      const inEdges = edges.filter(
        (edge) => Date.parse(edge.from) <= probe && probe <= Date.parse(edge.to),
      ).length;
      const inside = (start == null || probe >= start) && (end == null || probe <= end);
      expect((inDays ? 1 : 0) + inEdges).toBe(inside ? 1 : 0);
    }),
    { numRuns: 3_000 },
  );
});
