import { describe, expect, it } from 'vitest';
import {
  boxBetween,
  cardGridSize,
  edgeScrollSpeed,
  idsOverlapping,
  lettersPerLine,
  nearestInDirection,
} from './geometry.ts';

/** Students 0 to 8 in three rows of three, 10 wide with gaps of 2. */
const placed = Array.from({ length: 9 }, (_, id) => {
  const left = (id % 3) * 12;
  const top = Math.floor(id / 3) * 12;
  return { id, box: { left, top, right: left + 10, bottom: top + 10 } };
});

it('a dragged rectangle touches the same cards from either corner, and none in a gap', () => {
  const one = { x: 5, y: 5 };
  const other = { x: 15, y: 15 };
  expect(idsOverlapping(boxBetween(one, other), placed)).toEqual([0, 1, 3, 4]);
  expect(idsOverlapping(boxBetween(other, one), placed)).toEqual([0, 1, 3, 4]);
  expect(idsOverlapping(boxBetween({ x: 10.5, y: 0 }, { x: 11.5, y: 40 }), placed)).toEqual([]);
});

it.each([
  ['to the neighbour', 4, 'left', 3],
  ['to the neighbour', 4, 'right', 5],
  ['to the neighbour', 4, 'up', 1],
  ['to the neighbour', 4, 'down', 7],
  ['nowhere at the edge', 0, 'up', null],
  ['to the first card without a selection', 99, 'down', 0],
] as const)('an arrow key moves %s: from %i %s to %s', (_, from, direction, to) => {
  expect(nearestInDirection(placed, from, direction)).toBe(to);
});

it('an arrow key skips an empty seat, and moves nowhere without cards', () => {
  const gap = placed.filter(({ id }) => id !== 4);
  expect(nearestInDirection(gap, 3, 'right')).toBe(5);
  expect(nearestInDirection([], 1, 'down')).toBeNull();
});

it('a drag scrolls faster near the edge of the screen, and does not scroll in the middle', () => {
  const speeds = [-20, 0, 28, 60, 400, 740, 772, 800, 900].map((at) => edgeScrollSpeed(at, 0, 800));
  expect(speeds).toEqual([-16, -16, -8, 0, 0, 0, 8, 16, 16]);
});

describe('Cards of a class', () => {
  it('have room for every student, in at most eight columns, without a needless row', () => {
    for (let count = 1; count <= 80; count++) {
      const { rows, columns } = cardGridSize(count);
      expect(rows * columns).toBeGreaterThanOrEqual(count);
      expect(columns).toBeLessThanOrEqual(8);
      if (rows > 4) expect((rows - 1) * 8).toBeLessThan(count);
    }
  });

  it('are spread evenly: 42 in six rows of seven, 60 in eight rows of eight', () => {
    expect(cardGridSize(42)).toEqual({ rows: 6, columns: 7 });
    expect(cardGridSize(60)).toEqual({ rows: 8, columns: 8 });
    expect(cardGridSize(0)).toEqual({ rows: 4, columns: 1 });
  });

  it('are sized by the longest word of a name', () => {
    const latin = ['Alexander Wright', 'Anne-Sophie Li', 'O·Sullivan', ''];
    expect(latin.map(lettersPerLine)).toEqual([9, 6, 8, 0]);
    const others = ['欧阳若曦', '阿卜杜热合曼·买买提', '吐尔逊江·买买提·艾力'];
    expect(others.map(lettersPerLine)).toEqual([4, 5, 6]);
  });
});
