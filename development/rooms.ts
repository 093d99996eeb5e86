import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const root = join(import.meta.dirname, '..');
export const architectureFile = join(root, 'ARCHITECTURE.md');
const [begin, end] = ['<!-- rooms: npm run docs:rooms draws this -->', '<!-- /rooms -->'];

const sources = '{client,contract,embedded-postgres,json-pages,server,web}/src/**/*.{ts,tsx}';
/** Left out of the drawing, because most rooms use them and their arrows would hide the others. */
const foundations = ['concurrency', 'errors', 'time'];
/** Calls over HTTP, which no import shows. */
const calls = [
  ['web', 'internal API', 'routes'],
  ['client', 'external API', 'routes'],
] as const;

function roomOf(file: string): string | undefined {
  const [workspace = '', , folder = '', ...rest] = file.split('/');
  if (workspace !== 'server') return workspace;
  return rest.length === 0 || foundations.includes(folder) ? undefined : folder;
}

/** Returns the files that a file imports, also dynamically and for types, and the `src/` of packages of ours. */
export function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/(?:\bfrom |\bimport |\bimport\()'([^']+)'/g)].flatMap(([, path = '']) => {
    const own = /^@classledger\/([\w-]+)/.exec(path)?.[1];
    if (own) return [`${own}/src/`];
    return path.startsWith('.') ? [posix.join(posix.dirname(file), path)] : [];
  });
}

export function findRooms(): Map<string, Set<string>> {
  const rooms = new Map<string, Set<string>>();
  for (const name of globSync(sources, { cwd: root }).sort()) {
    const file = name.replaceAll('\\', '/');
    const room = roomOf(file);
    if (room === undefined || file.endsWith('.test.ts')) continue;
    const imported = rooms.get(room) ?? new Set();
    rooms.set(room, imported);
    for (const path of importsOf(file)) {
      const other = roomOf(path);
      if (other !== undefined && other !== room) imported.add(other);
    }
  }
  return rooms;
}

/** Finds rooms or files that import each other in a circle; null without one. */
export function findCircle(imports: ReadonlyMap<string, Iterable<string>>): readonly string[] | null {
  const finished = new Set<string>();
  const visit = (one: string, path: readonly string[]): readonly string[] | null => {
    if (path.includes(one)) return [...path.slice(path.indexOf(one)), one];
    if (finished.has(one)) return null;
    for (const next of imports.get(one) ?? []) {
      const circle = visit(next, [...path, one]);
      if (circle) return circle;
    }
    finished.add(one);
    return null;
  };
  for (const one of imports.keys()) {
    const circle = visit(one, []);
    if (circle) return circle;
  }
  return null;
}

/** Draws rooms in Mermaid. Leaves out an arrow when a longer way leads to the same room. */
function draw(rooms: ReadonlyMap<string, ReadonlySet<string>>): string {
  const reaches = (from: string, to: string): boolean =>
    [...(rooms.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  const arrows = [...rooms].flatMap(([room, imported]) =>
    [...imported]
      .filter((other) => ![...imported].some((between) => between !== other && reaches(between, other)))
      .map((other) => `  ${room} --> ${other}`),
  );
  const called = calls.map(([from, api, to]) => `  ${from} -. ${api} .-> ${to}`);
  return ['```mermaid', 'flowchart TD', ...called, ...arrows.sort(), '```'].join('\n');
}

/** Returns the text of ARCHITECTURE.md with a drawing of today's imports between its two marks. */
export function withDrawing(text: string): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`ARCHITECTURE.md lacks the marks ${begin} and ${end}`);
  return `${text.slice(0, from)}${begin}\n\n${draw(findRooms())}\n\n${text.slice(to)}`;
}

if (import.meta.main) writeFileSync(architectureFile, withDrawing(readFileSync(architectureFile, 'utf8')));
