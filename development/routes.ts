import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { externalOperations, internalOperations } from '@classledger/contract';

const root = join(import.meta.dirname, '..');
const apis = [
  { prefix: '/api/v1', operations: externalOperations, file: 'server/src/routes/external-routes.ts' },
  { prefix: '/api', operations: internalOperations, file: 'server/src/routes/internal-routes.ts' },
];

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: string;
  /** The functions of features that the route calls; empty where the route itself holds the rule. */
  readonly rules: readonly string[];
  /** Where these functions are, relative to the root of the repository. */
  readonly files: readonly string[];
}

/** Lists the operations of both APIs, each with the functions that hold its rule. Reads the source of the routes. */
export function listRoutes(): Route[] {
  return apis.flatMap(({ prefix, operations, file }) => {
    const source = readFileSync(join(root, file), 'utf8');
    const imported = importsOf(source, posix.dirname(file));
    return Object.values(operations).map(({ id, method, path }) => {
      const used = rulesIn(entryOf(id, source, file), imported);
      const files = used.size > 0 ? [...new Set(used.values())] : [file];
      return { method, path: prefix + path, operation: id, rules: [...used.keys()], files };
    });
  });
}

/** Returns the text of one route, which ends before the next line with the same indentation. */
function entryOf(id: string, source: string, file: string): string {
  const entry = new RegExp(`^    (?:async )?${id}(?=[:,(]).*(?:\\n {5,}.*|\\n    [}\\])].*)*`, 'm').exec(
    source,
  );
  if (!entry) throw new Error(`${file} has no route ${id}`);
  return entry[0];
}

/** Returns the files of imported names. An imported namespace stands for all its names. */
function importsOf(source: string, folder: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const [, names = '', path = ''] of source.matchAll(/^import ([^;]+) from '(\.[^']+)';/gm)) {
    for (const name of names.split(/[{},]|\* as /)) {
      const local = name.split(' as ').at(-1)?.replace('type ', '').trim();
      if (local) files.set(local, posix.join(folder, path));
    }
  }
  return files;
}

/** Finds the functions of features in a route, with their files. */
function rulesIn(entry: string, imported: ReadonlyMap<string, string>): Map<string, string> {
  const called = entry.replace(/^ +(?:async )?\w+:/, '').matchAll(/(?<![\w.])(\w+)(?:\.\w+)?(?=[(,\n])/g);
  return new Map(
    [...called].flatMap(([rule, name = '']) => {
      const file = imported.get(name) ?? imported.get(name.replace(/^./, (first) => first.toUpperCase()));
      return file?.includes('/features/') ? [[rule, file]] : [];
    }),
  );
}

if (import.meta.main) {
  const rows = listRoutes().map(({ method, path, operation, rules, files }) => [
    `${method.padEnd(6)} ${path}`,
    operation,
    rules.join(', '),
    files.join(', '),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}
