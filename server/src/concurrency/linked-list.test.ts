import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LinkedList, type ListNode } from './linked-list.ts';

it('a linked list contains the members that were added and not removed, in the order of adding', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(20), { freq: 2 }), { maxLength: 60 }), (steps) => {
      const line = new LinkedList<number>();
      const places: ListNode<number>[] = [];
      const expected = new Set<number>();
      for (const leaving of steps) {
        if (leaving === null) {
          places.push(line.append(places.length));
          expected.add(places.length - 1);
        } else if (places[leaving]) {
          expect(line.remove(places[leaving])).toBe(expected.delete(leaving));
        }
        const members = [...expected];
        expect([...line]).toEqual(members);
        expect([line.length, line.first, line.last]).toEqual([members.length, members[0], members.at(-1)]);
      }
      const rest = [...expected];
      expect([[...line.drain()], line.length, line.first]).toEqual([rest, 0, undefined]);
    }),
  );
});
