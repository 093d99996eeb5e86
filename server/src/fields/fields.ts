import { type RawBuilder, sql } from 'kysely';
import type { Static, TObject, TProperties } from 'typebox';

/* A table of fields says how each field of a record is read, stored, changed and erased. Statements derive from it. */

interface Values {
  text: string;
  date: string;
  timestamptz: string;
  bigint: number;
  boolean: boolean;
}

type SqlTypeOf<Value> = Value extends string
  ? 'text' | 'date' | 'timestamptz'
  : Value extends number
    ? 'bigint'
    : Value extends boolean
      ? 'boolean'
      : never;

type Typed<Value> = { readonly type: SqlTypeOf<Value> } & (null extends Value
  ? { readonly nullable: true }
  : { readonly nullable?: never });

/** An expression that reads a joined or computed value. Only tests of answers find a wrong `type`. */
type Computed<Value> = Typed<Value> & { readonly read: string };

/** A column of the noun's own table, which statements call `s`. */
type Stored<Value, ChangedBy> = Typed<Value> & {
  readonly column: string;
  /** `callers`: request bodies contain the field. */
  readonly changedBy: ChangedBy;
  /** How an erasure changes the value. The erasure may also set a `kept` field, such as `disabled`, to a constant. */
  readonly erased:
    | 'kept'
    | (Value extends string ? 'pseudonym' : never)
    | (null extends Value ? 'cleared' : never);
  readonly unique?: true;
  /** The filters that search this field: `keyword` means both filters, `search` only the filter `search`. */
  readonly searched?: 'keyword' | 'search';
};

/** The fields that answers show. A field must be stored and changed by callers exactly when bodies take it. */
export type FieldTable<Shown, Given> = {
  readonly [K in keyof Shown | keyof Given]-?: K extends keyof Shown
    ? K extends keyof Given
      ? Stored<Shown[K], 'callers'>
      : Stored<Shown[K], 'rules'> | Computed<Shown[K]>
    : never;
};

type Read = { readonly column: string } | { readonly read: string };
export type FieldsOf<Row> = { readonly [K in keyof Row]-?: Typed<Row[K]> & Read };

export type ValueOf<F> = F extends { readonly type: infer Type extends keyof Values }
  ? Values[Type] | (F extends { readonly nullable: true } ? null : never)
  : never;

/** The names of fields that have all `Facts`. */
type NamesWith<F, Facts> = {
  [K in keyof F & string]: F[K] extends Facts ? K : never;
}[keyof F & string];

export function fieldNamesWith<F extends Readonly<Record<string, object>>, const Facts extends object>(
  fields: F,
  facts: Facts,
) {
  const hasFacts = (field: object) =>
    Object.entries(facts).every(([fact, value]) => Reflect.get(field, fact) === value);
  // TypeScript cannot see that the type selects by the same facts as this filter.
  return Object.entries<object>(fields).flatMap(([name, field]) =>
    hasFacts(field) ? name : [],
  ) as NamesWith<F, Facts>[];
}

export function mapNames<Name extends string, Value>(
  names: readonly Name[],
  valueFor: (name: Name) => Value,
) {
  // Object.fromEntries types its keys as string, although they are these names.
  return Object.fromEntries(names.map((name) => [name, valueFor(name)])) as Record<Name, Value>;
}

const readText = (field: Read) => ('read' in field ? field.read : `s.${field.column}`);

export const expressionOf = <F extends Read>(field: F) => sql.raw<ValueOf<F>>(readText(field));

/** Columns with their row type, made once when a module loads. */
export class Selection<Row> {
  readonly columns: RawBuilder<unknown>;

  constructor(columns: RawBuilder<unknown>) {
    this.columns = columns;
  }

  with<More>(more: { readonly [K in keyof More & string]: RawBuilder<More[K]> }): Selection<Row & More> {
    const named = Object.entries<RawBuilder<unknown>>(more).map(
      ([name, expression]) => sql`${expression} AS ${sql.ref(name)}`,
    );
    return new Selection(sql`${this.columns}, ${sql.join(named)}`);
  }

  /** Returns a SELECT. @param rest begins with FROM */
  select(rest: RawBuilder<unknown>): RawBuilder<Row> {
    return sql<Row>`SELECT ${this.columns} ${rest}`;
  }

  returning(statement: RawBuilder<unknown>): RawBuilder<Row> {
    return sql<Row>`${statement} RETURNING ${this.columns}`;
  }
}

/** Returns the SELECT list of a record of the contract, in the order of its schema. */
export function columnList<S extends TObject>(fields: FieldsOf<Static<S>>, { properties }: S): string {
  const reads: Readonly<Record<string, Read>> = fields;
  const named = Object.keys(properties).map((name) => {
    const field = reads[name];
    if (!field) throw new Error(`The field ${name} is not in the table of fields`);
    return `${readText(field)} AS "${name}"`;
  });
  return named.join(', ');
}

/** Selects the fields of a record of the contract, in the order of its schema. */
export function selectionOf<S extends TObject>(fields: FieldsOf<Static<S>>, schema: S) {
  return new Selection<Static<S>>(sql.raw(columnList(fields, schema)));
}

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;
type ColumnOf<Table extends string, Name> = Name extends string
  ? `${Table}.${SnakeCase<Name>} as ${Name}`
  : never;

/**
 * Returns what Kysely selects for a record of the contract: `createdAt` reads the column `created_at`.
 * @param table name or alias @param others fields without such a column
 */
export function columnsOf<
  Table extends string,
  Fields extends TProperties,
  Other extends keyof Fields & string = never,
>(table: Table, { properties }: TObject<Fields>, others: readonly Other[] = []) {
  const names = Object.keys(properties).filter((name) => !others.some((other) => other === name));
  const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  // TypeScript cannot see that this text follows the rule of the type.
  return names.map((name) => `${table}.${snakeCase(name)} as ${name}`) as ColumnOf<
    Table,
    Exclude<keyof Fields, Other>
  >[];
}

type Run = <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>;

/** Selects like `selectionOf`, with a constant text. @param rest begins with FROM and contains `$1` */
export function selectStatement<S extends TObject>(fields: FieldsOf<Static<S>>, schema: S, rest: string) {
  const text = `SELECT ${columnList(fields, schema)} ${rest}`;
  return (run: Run, values: readonly unknown[]) => run<Static<S>>(text, values);
}

interface Column {
  readonly column: string;
  readonly type: keyof Values;
}

interface RowColumn<Item> {
  readonly name: string;
  readonly type: keyof Values;
  readonly of: (item: Item) => unknown;
}

/** Returns the stored columns of some fields for a `RowSet`. */
export function rowColumns<Name extends string, F extends Readonly<Record<Name, Column>>, Item>(
  fields: F,
  names: readonly Name[],
  rowOf: (item: Item) => { readonly [K in Name]: ValueOf<F[K]> },
): RowColumn<Item>[] {
  return names.map((name) => {
    const { column, type } = fields[name];
    return { name: column, type, of: (item) => rowOf(item)[name] };
  });
}

/** Passes rows to INSERT and UPDATE as one array per column. */
export class RowSet<Item> {
  readonly #columns: readonly RowColumn<Item>[];
  readonly names: RawBuilder<unknown>;

  constructor(columns: readonly RowColumn<Item>[]) {
    this.#columns = columns;
    this.names = sql.raw(columns.map(({ name }) => name).join(', '));
  }

  from(items: readonly Item[]): RawBuilder<unknown> {
    const arrays = this.#columns.map(({ type, of }) => sql`${items.map(of)}::${sql.raw(type)}[]`);
    return sql`unnest(${sql.join(arrays)})`;
  }
}

/** Returns the assignments of an UPDATE. @param sqlFor returns the new value of a column */
export function assignments<Name extends string>(
  fields: Readonly<Record<Name, Pick<Column, 'column'>>>,
  names: readonly Name[],
  sqlFor: (column: string) => string,
): RawBuilder<unknown> {
  return sql.raw(names.map((name) => `${fields[name].column} = ${sqlFor(fields[name].column)}`).join(', '));
}
