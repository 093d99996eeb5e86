import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { architectureFile, findCircle, findRooms, withDrawing } from './rooms.ts';

it('source folders (rooms) import each other in one direction', () => {
  const rooms = findRooms();
  expect([...rooms.keys()]).toEqual(expect.arrayContaining(['contract', 'database', 'features', 'web']));
  expect(findCircle(rooms)).toBeNull();
});

it('imports that form a circle between source folders are reported', () => {
  const imports = { http: ['access'], access: ['database', 'time'], time: [], database: ['access'] };
  expect(findCircle(new Map<string, string[]>(Object.entries(imports)))).toEqual([
    'access',
    'database',
    'access',
  ]);
});

it('ARCHITECTURE.md draws the source folders (rooms) as they are; otherwise run "npm run docs:rooms"', () => {
  const text = readFileSync(architectureFile, 'utf8');
  expect(text).toBe(withDrawing(text));
});
