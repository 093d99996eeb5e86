import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import Type from 'typebox';
import { expect, it } from 'vitest';
import { assignments, type FieldTable, fieldNamesWith, RowSet, rowColumns, selectionOf } from './fields.ts';

interface Shown {
  readonly id: number;
  readonly name: string;
  readonly nickname: string | null;
}
interface Taken {
  readonly name?: string;
  readonly nickname?: string | null;
}

const id = { column: 'id', type: 'bigint', changedBy: 'rules', erased: 'kept' } as const;
const name = { column: 'full_name', type: 'text', changedBy: 'callers', erased: 'pseudonym' } as const;
const nickname = {
  column: 'nickname',
  type: 'text',
  nullable: true,
  changedBy: 'callers',
  erased: 'cleared',
} as const;
const fields = { id, name, nickname } as const satisfies FieldTable<Shown, Taken>;

const db = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});
const compile = (statement: RawBuilder<unknown>) => {
  const { sql: text, parameters } = statement.compile(db);
  return [text.replace(/\s+/g, ' '), parameters];
};

it('a table does not compile with a missing or extra field, or a field that contradicts the contract', () => {
  type Table = FieldTable<Shown, Taken>;
  // @ts-expect-error: `nickname` is missing
  ({ id, name }) satisfies Table;
  // @ts-expect-error: no answer shows `age`
  ({ ...fields, age: id }) satisfies Table;
  const tables: readonly Table[] = [
    // @ts-expect-error: another type
    { ...fields, name: { ...name, type: 'bigint' } },
    // @ts-expect-error: the contract lets `nickname` be null
    { ...fields, nickname: { ...name, column: 'nickname' } },
    // @ts-expect-error: `name` is never null
    { ...fields, name: { ...nickname, erased: 'pseudonym' } },
    // @ts-expect-error: no body takes `id`
    { ...fields, id: { ...id, changedBy: 'callers' } },
    // @ts-expect-error: a body takes `name`
    { ...fields, name: { ...name, changedBy: 'rules' } },
    // @ts-expect-error: what does an erasure do?
    { ...fields, name: { column: 'name', type: 'text', changedBy: 'callers' } },
    // @ts-expect-error: an erasure clears nullable fields only
    { ...fields, name: { ...name, erased: 'cleared' } },
  ];
  expect(tables).toHaveLength(7);
});

it('fieldNamesWith returns the names of the fields with the given properties', () => {
  const details: 'nickname'[] = fieldNamesWith(fields, { changedBy: 'callers', nullable: true });
  expect(details).toEqual(['nickname']);
  expect(fieldNamesWith(fields, { changedBy: 'callers' })).toEqual(['name', 'nickname']);
});

it('a SELECT names the fields of a schema in its order, and no others', () => {
  const people = selectionOf(fields, Type.Object({ name: Type.String(), id: Type.Integer() }));
  const text = 'SELECT s.full_name AS "name", s.id AS "id" FROM person s';
  expect(compile(people.select(sql`FROM person s`))).toEqual([text, []]);
  const counted = people.with({ total: sql<number>`count(*)` }).select(sql`FROM person s`);
  expect(compile(counted)).toEqual([text.replace(' FROM', ', count(*) AS "total" FROM'), []]);
});

it('a set of rows passes one array per column, and assignments set the columns of fields', () => {
  const people = new RowSet<Omit<Shown, 'id'>>([
    ...rowColumns(
      fields,
      fieldNamesWith(fields, { changedBy: 'callers' }),
      (person: Omit<Shown, 'id'>) => person,
    ),
    { name: 'is_new', type: 'boolean', of: () => true },
  ]);
  const rows = people.from([
    { name: 'A', nickname: null },
    { name: 'B', nickname: 'b' },
  ]);
  expect(compile(sql`FROM ${rows} AS n (${people.names})`)).toEqual([
    'FROM unnest($1::text[], $2::text[], $3::boolean[]) AS n (full_name, nickname, is_new)',
    [
      ['A', 'B'],
      [null, 'b'],
      [true, true],
    ],
  ]);
  expect(compile(assignments(fields, ['name', 'nickname'], (column) => `n.${column}`))[0]).toBe(
    'full_name = n.full_name, nickname = n.nickname',
  );
});
