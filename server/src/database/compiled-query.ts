import type { Compilable, CompiledQuery } from 'kysely';
import type { Queryable } from './connect.ts';

/** Stands for a value while a query is built; the value itself comes with each run. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Beyond this many shapes a query is built for its run alone. */
const shapesMax = 500;

const compiled = new Map<string, CompiledQuery>();

/**
 * Runs a query that is built and compiled once for all runs of one shape. Building costs several times as much
 * as running, for the short queries behind a page of a list.
 *
 * @param shape tells apart whatever `build` decides by, beside which values there are
 * @param values absent ones are left out; their names belong to the shape by themselves
 * @param build sees slots in the place of the values: it can put them into the query and cannot look at them
 */
export async function runCompiled<Values extends object, Row>(
  db: Queryable,
  shape: string,
  values: Values,
  build: (slots: Values) => Compilable<Row>,
): Promise<Row[]> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const key = `${shape} ${given.map(([name]) => name)}`;
  let query = compiled.get(key);
  if (!query) {
    query = build(Object.fromEntries(given.map(([name]) => [name, new Slot(name)])) as Values).compile();
    if (compiled.size < shapesMax) compiled.set(key, query);
  }
  const parameters = query.parameters.map((parameter) =>
    parameter instanceof Slot ? values[parameter.name as keyof Values] : parameter,
  );
  return (await db.executeQuery({ ...query, parameters } as CompiledQuery<Row>)).rows;
}
