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

describe('Dragged rectangle', () => {
  it('touches the same cards from either corner', () => {
    const corners = [
      { x: 5, y: 5 },
      { x: 15, y: 15 },
    ] as const;
    expect(idsOverlapping(boxBetween(...corners), placed)).toEqual([0, 1, 3, 4]);
    expect(idsOverlapping(boxBetween(corners[1], corners[0]), placed)).toEqual([0, 1, 3, 4]);
  });

  it('touches no card in a gap', () => {
    expect(idsOverlapping(boxBetween({ x: 10.5, y: 0 }, { x: 11.5, y: 40 }), placed)).toEqual([]);
  });
});

describe('Arrow key', () => {
  it('moves to the neighbour', () => {
    expect(nearestInDirection(placed, 4, 'left')).toBe(3);
    expect(nearestInDirection(placed, 4, 'right')).toBe(5);
    expect(nearestInDirection(placed, 4, 'up')).toBe(1);
    expect(nearestInDirection(placed, 4, 'down')).toBe(7);
  });

  it('stops at the edge, and starts at the first card', () => {
    expect(nearestInDirection(placed, 0, 'up')).toBeNull();
    expect(nearestInDirection(placed, 99, 'down')).toBe(0);
    expect(nearestInDirection([], 1, 'down')).toBeNull();
  });

  it('skips an empty seat', () => {
    const gap = placed.filter(({ id }) => id !== 4);
    expect(nearestInDirection(gap, 3, 'right')).toBe(5);
  });
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
    expect(lettersPerLine('Alexander Wright')).toBe(9);
    expect(lettersPerLine('Anne-Sophie Li')).toBe(6);
    expect(lettersPerLine('欧阳若曦')).toBe(4);
    expect(lettersPerLine('阿卜杜热合曼·买买提')).toBe(5);
    expect(lettersPerLine('吐尔逊江·买买提·艾力')).toBe(6);
    expect(lettersPerLine('O·Sullivan')).toBe(8);
    expect(lettersPerLine('')).toBe(0);
  });
});
