import type { SheetRow } from '../../spreadsheets/sheet.ts';
import { plain } from './plain-words.ts';

/** Which column, from 0, holds what; null: none does. */
export type Mapping<Field extends string> = Readonly<Record<Field, number | null>>;

/** Where the headings stand and what the columns hold. */
export interface ListLayout<Field extends string> {
  readonly mapping: Mapping<Field>;
  /** Whether a row holds headings at all. */
  readonly hasHeader: boolean;
  /** Which row, from 0, holds them; those above it are a title and the like. */
  readonly headerIndex: number;
}

/** What a list of one kind may hold. */
export interface ListFields<Field extends string> {
  /** How offices head each column, as `plain` gives it; of two columns the one whose heading comes first here is taken. */
  readonly headings: Readonly<Record<Field, readonly string[]>>;
  /** The one without which no row counts as headings, unless it has several others. */
  readonly key: Field;
  /** What the columns of a list without headings hold, in their order. */
  readonly bare: readonly Field[];
  /** Headings of columns that are not used; beside one of them a single heading is enough. */
  readonly others?: readonly string[];
}

/** "Student ID (for signing in)" is a student ID. */
const withoutRemark = (text: string) => text.replace(/[（(].*$/, '');

/** Lists of offices begin with a title, a date, who is responsible. */
const headerRowsMax = 10;

/** Guesses from the first rows what the columns hold. */
export function guessLayout<Field extends string>(
  rows: readonly SheetRow[],
  fields: ListFields<Field>,
): ListLayout<Field> {
  const header = rows
    .slice(0, headerRowsMax)
    .map(({ cells }, headerIndex) => ({
      headerIndex,
      mapping: headingsIn(cells, fields),
      hasOthers: cells.some((cell) => fields.others?.includes(plain(cell))),
    }))
    // In a row further down a single word that looks like a heading may be anything.
    .filter(
      ({ headerIndex, mapping, hasOthers }) =>
        weightOf(mapping, fields) > (headerIndex === 0 || hasOthers ? 0 : 1),
    )
    .reduce<{ headerIndex: number; mapping: Mapping<Field> } | null>(
      (best, one) => (best && weightOf(best.mapping, fields) >= weightOf(one.mapping, fields) ? best : one),
      null,
    );
  if (header) return { mapping: header.mapping, hasHeader: true, headerIndex: header.headerIndex };
  const width = Math.max(0, ...rows.slice(0, 20).map(({ cells }) => cells.length));
  const columnOf = (field: Field) => {
    const column = fields.bare.indexOf(field);
    return column >= 0 && column < width ? column : null;
  };
  return { mapping: mappingOf(fields, columnOf), hasHeader: false, headerIndex: 0 };
}

/** Whether a worksheet has a row of headings. */
export const hasHeadings =
  <Field extends string>(fields: ListFields<Field>) =>
  ({ rows }: { readonly rows: readonly SheetRow[] }): boolean =>
    guessLayout(rows, fields).hasHeader;

function mappingOf<Field extends string>(
  { headings }: ListFields<Field>,
  columnOf: (field: Field) => number | null,
): Mapping<Field> {
  const names = Object.keys(headings) as Field[];
  return Object.fromEntries(names.map((field) => [field, columnOf(field)])) as Mapping<Field>;
}

function headingsIn<Field extends string>(
  cells: readonly string[],
  fields: ListFields<Field>,
): Mapping<Field> {
  const words = cells.map(plain);
  const remarked = cells.map((cell) => plain(withoutRemark(cell)));
  return mappingOf(fields, (field) => {
    for (const heading of fields.headings[field]) {
      const exact = words.indexOf(heading);
      const index = exact === -1 ? remarked.indexOf(heading) : exact;
      if (index !== -1) return index;
    }
    return null;
  });
}

/** How much a row looks like headings. "Class: 7A, grade: 7" above the list looks so too, but names no account. */
function weightOf<Field extends string>(mapping: Mapping<Field>, { key }: ListFields<Field>): number {
  const count = Object.values(mapping).filter((column) => column !== null).length;
  return count + (mapping[key] === null ? 0 : 1);
}

type Parts = Record<'above' | 'people', readonly SheetRow[]>;

/** Takes a list apart: its people, and what stands above the headings. */
export function partsOf(
  rows: readonly SheetRow[],
  { hasHeader, headerIndex }: Pick<ListLayout<string>, 'hasHeader' | 'headerIndex'>,
): Parts {
  return hasHeader
    ? { above: rows.slice(0, headerIndex), people: rows.slice(headerIndex + 1) }
    : { above: [], people: rows };
}

/** A mapping in which one column holds something else; a field is held by one column only. */
export function withColumn<Field extends string>(
  mapping: Mapping<Field>,
  column: number,
  field: NoInfer<Field> | null,
): Mapping<Field> {
  const next: Record<Field, number | null> = { ...mapping };
  for (const one of Object.keys(next) as Field[]) if (next[one] === column) next[one] = null;
  if (field) next[field] = column;
  return next;
}

/** What a column holds. */
export function fieldOf<Field extends string>(mapping: Mapping<Field>, column: number): Field | null {
  return (Object.keys(mapping) as Field[]).find((field) => mapping[field] === column) ?? null;
}
