import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import type { Static, TObject } from 'typebox';
import { type Field, fieldsOf } from './json-rows.ts';
import type { JsonPage } from './page-query.ts';
import type { SharedReads } from './shared-reads.ts';

/** What a statement is asked with; a name whose value is undefined is not in the statement. */
export type Given = Readonly<Record<string, string | number | boolean | undefined>>;

/** A statement that was put together once, with the names of its values in their order. */
interface Statement {
  readonly text: string;
  readonly takes: readonly unknown[];
}

/** Stands for a value while a statement is put together. */
class Named {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Of one list; past that, they are put together anew. */
const statementsMax = 500;

/** By the databases that have them; inside a transaction there are none. */
const sharedReadsOf = new WeakMap<object, SharedReads>();

/** Has the pages of a database read by these. */
export function readPagesBy(reads: SharedReads, db: QueryExecutorProvider): void {
  sharedReadsOf.set(db, reads);
}

/**
 * A list whose pages are read as JSON, with the fields that a schema of the contract declares. Its statements are put
 * together once for each combination of filters, order and size.
 */
export class JsonList<S extends TObject> {
  readonly #fields: readonly Field[];
  readonly #columns: RawBuilder<unknown>;
  readonly #statements = new Map<string, Statement>();

  /** @param expressions what stands for each field in a statement; those that the schema lacks are left out */
  constructor(schema: S, expressions: Readonly<Record<string, RawBuilder<unknown>>>) {
    this.#fields = fieldsOf(schema);
    const columns = Object.keys(schema.properties).map((name) => {
      const expression = expressions[name];
      if (!expression) throw new Error(`Nothing stands for ${name}`);
      return expression;
    });
    this.#columns = sql.join(columns);
  }

  /**
   * Reads a page.
   *
   * @param shape all that makes a statement another one beside which values are given
   * @param build makes the statement; it gets the columns for its SELECT, to which it adds the number of all entries, and
   * what stands for the values
   */
  read<G extends Given>(
    db: QueryExecutorProvider,
    shape: string,
    given: G,
    build: (columns: RawBuilder<unknown>, given: G) => RawBuilder<unknown>,
  ): Promise<JsonPage<Static<S>>> {
    const reads = sharedReadsOf.get(db);
    if (!reads) throw new Error('Pages are read outside of transactions');
    let key = shape;
    for (const name in given) if (given[name] !== undefined) key += ` ${name}`;
    let statement = this.#statements.get(key);
    if (!statement) {
      statement = this.#put(db, given, build);
      if (this.#statements.size >= statementsMax) this.#statements.clear();
      this.#statements.set(key, statement);
    }
    const values = statement.takes.map((value) => textOf(value instanceof Named ? given[value.name] : value));
    return reads.page<Static<S>>(statement.text, values, this.#fields);
  }

  #put<G extends Given>(
    db: QueryExecutorProvider,
    given: G,
    build: (columns: RawBuilder<unknown>, given: G) => RawBuilder<unknown>,
  ): Statement {
    const named = Object.entries(given).map(([name, value]) => [
      name,
      value === undefined ? undefined : new Named(name),
    ]);
    const { sql: text, parameters } = build(this.#columns, Object.fromEntries(named) as G).compile(db);
    return { text, takes: parameters };
  }
}

const textOf = (value: unknown) => (value === null || value === undefined ? null : String(value));
