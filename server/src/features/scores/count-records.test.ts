import { dayAt } from '@classledger/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitIntoWholeDays } from './count-records.ts';

const dayMs = 86_400_000;

it('a range of instants is split so that each is in one day or one edge, in zones with clock changes', () => {
  const halfHours = fc.integer({ min: -48, max: 48 }).map((n) => n * 1_800_000);
  const offset = fc.oneof(fc.constantFrom(-1, 0, 1), fc.nat(dayMs), halfHours);
  const wide = fc.tuple(fc.integer({ min: -3, max: 3 }), offset).map(([day, ms]) => day * dayMs + ms);
  const around = fc.constantFrom<[zone: string, day: string]>(
    ['UTC', '1970-01-01'],
    ['Asia/Kathmandu', '2026-09-01'],
    ['America/Santiago', '2026-09-06'],
    ['America/Santiago', '2026-04-05'],
    ['America/Havana', '2026-11-01'],
    ['Pacific/Apia', '2011-12-30'],
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
      const isIn = (edge: (typeof edges)[number]) =>
        Date.parse(edge.from) <= probe && probe <= Date.parse(edge.to);
      const inEdges = edges.filter(isIn).length;
      const inside = (start == null || probe >= start) && (end == null || probe <= end);
      expect((inDays ? 1 : 0) + inEdges).toBe(inside ? 1 : 0);
    }),
    { numRuns: 3_000 },
  );
});
