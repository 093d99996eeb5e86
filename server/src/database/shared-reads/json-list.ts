import { type Field, fieldsOf, type JsonPage } from '@classledger/json-pages';
import type { QueryExecutorProvider, RawBuilder } from 'kysely';
import type { Static, TObject } from 'typebox';
import { type FieldsOf, selectionOf } from '../../fields/fields.ts';
import type { SharedReads } from './shared-reads.ts';

/** Values of a statement. Undefined ones are left out of the statement. */
export type ListParameters = Readonly<
  Record<string, string | number | boolean | readonly number[] | undefined>
>;

/** `parameters` contains values and placeholders, in the order of the text. */
interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Compiled statements per list; at this number the cache is cleared. */
const statementsMax = 500;

const sharedReadsOf = new WeakMap<object, SharedReads>();

export function registerSharedReads(reads: SharedReads, db: QueryExecutorProvider): void {
  sharedReadsOf.set(db, reads);
}

/** Compiles one statement per combination of filters, order and size. */
export class JsonList<S extends TObject> {
  readonly #fields: readonly Field[];
  readonly #columns: RawBuilder<unknown>;
  readonly #statements = new Map<string, Statement>();

  constructor(schema: S, fields: FieldsOf<Static<S>>) {
    this.#fields = fieldsOf(schema);
    this.#columns = selectionOf(fields, schema).columns;
  }

  /** @param shape identifies the statement with the names of given values @param build adds the count as a column */
  read<G extends ListParameters>(
    db: QueryExecutorProvider,
    shape: string,
    given: G,
    build: (columns: RawBuilder<unknown>, given: G) => RawBuilder<unknown>,
  ): Promise<JsonPage<Static<S>>> {
    const reads = sharedReadsOf.get(db);
    if (!reads) throw new Error('Read JSON pages outside of transactions');
    let key = shape;
    for (const name in given) if (given[name] !== undefined) key += ` ${name}`;
    let statement = this.#statements.get(key);
    if (!statement) {
      statement = this.#compile(db, given, build);
      if (this.#statements.size >= statementsMax) this.#statements.clear();
      this.#statements.set(key, statement);
    }
    const values = statement.parameters.map((value) =>
      textOf(value instanceof Placeholder ? given[value.name] : value),
    );
    return reads.readPage<Static<S>>(statement.text, values, this.#fields);
  }

  #compile<G extends ListParameters>(
    db: QueryExecutorProvider,
    given: G,
    build: (columns: RawBuilder<unknown>, given: G) => RawBuilder<unknown>,
  ): Statement {
    const named = Object.entries(given).map(([name, value]) => [
      name,
      value === undefined ? undefined : new Placeholder(name),
    ]);
    const { sql: text, parameters } = build(this.#columns, Object.fromEntries(named) as G).compile(db);
    return { text, parameters };
  }
}

const textOf = (value: unknown) => (value === null || value === undefined ? null : String(value));
