import type { SheetRow } from '../../spreadsheets/sheet.ts';
import { normalizeText } from './normalize-text.ts';

/** The column of each field, from 0; null for none. */
export type ColumnMapping<Field extends string> = Readonly<Record<Field, number | null>>;

export interface ListLayout<Field extends string> {
  readonly mapping: ColumnMapping<Field>;
  readonly hasHeader: boolean;
  /** Index of the row with the headings. Rows above it contain a title or notes. */
  readonly headerIndex: number;
}

export interface ListFields<Field extends string> {
  /** In the form that `normalizeText` returns. If two columns match, the heading that is first here wins. */
  readonly headings: Readonly<Record<Field, readonly string[]>>;
  readonly key: Field;
  readonly bare: readonly Field[];
  /** Headings of columns that are not used. In a row with one of them, a single matching heading is enough. */
  readonly others?: readonly string[];
}

/** Removes a remark: "Student ID (for signing in)" becomes "Student ID". */
const withoutRemark = (text: string) => text.replace(/[（(].*$/, '');

/** The headings are among this many rows, because a title, a date or a contact may precede them. */
const headerRowsMax = 10;

export function guessLayout<Field extends string>(
  rows: readonly SheetRow[],
  fields: ListFields<Field>,
): ListLayout<Field> {
  const candidates = rows.slice(0, headerRowsMax).flatMap(({ cells }, headerIndex) => {
    const mapping = matchHeadings(cells, fields);
    const score = headingScore(mapping, fields);
    const hasOthers = cells.some((cell) => fields.others?.includes(normalizeText(cell)));
    // Below the first row, a single word that looks like a heading is not enough.
    return score > (headerIndex === 0 || hasOthers ? 0 : 1) ? [{ mapping, score, headerIndex }] : [];
  });
  const [header] = candidates.toSorted((one, other) => other.score - one.score);
  if (header) return { mapping: header.mapping, hasHeader: true, headerIndex: header.headerIndex };
  const width = Math.max(0, ...rows.slice(0, 20).map(({ cells }) => cells.length));
  const columnOf = (field: Field) => {
    const column = fields.bare.indexOf(field);
    return column >= 0 && column < width ? column : null;
  };
  return { mapping: mappingOf(fields, columnOf), hasHeader: false, headerIndex: 0 };
}

export const hasHeadings =
  <Field extends string>(fields: ListFields<Field>) =>
  ({ rows }: { readonly rows: readonly SheetRow[] }): boolean =>
    guessLayout(rows, fields).hasHeader;

function mappingOf<Field extends string>(
  { headings }: ListFields<Field>,
  columnOf: (field: Field) => number | null,
): ColumnMapping<Field> {
  const names = Object.keys(headings) as Field[];
  return Object.fromEntries(names.map((field) => [field, columnOf(field)])) as ColumnMapping<Field>;
}

function matchHeadings<Field extends string>(
  cells: readonly string[],
  fields: ListFields<Field>,
): ColumnMapping<Field> {
  const words = cells.map(normalizeText);
  const remarked = cells.map((cell) => normalizeText(withoutRemark(cell)));
  return mappingOf(fields, (field) => {
    for (const heading of fields.headings[field]) {
      const exact = words.indexOf(heading);
      const index = exact === -1 ? remarked.indexOf(heading) : exact;
      if (index !== -1) return index;
    }
    return null;
  });
}

/** Scores how likely a row contains the headings. The key field counts twice, because a title lacks it. */
function headingScore<Field extends string>(
  mapping: ColumnMapping<Field>,
  { key }: ListFields<Field>,
): number {
  const count = Object.values(mapping).filter((column) => column !== null).length;
  return count + (mapping[key] === null ? 0 : 1);
}

export function splitList(
  rows: readonly SheetRow[],
  { hasHeader, headerIndex }: Pick<ListLayout<string>, 'hasHeader' | 'headerIndex'>,
) {
  return hasHeader
    ? { above: rows.slice(0, headerIndex), people: rows.slice(headerIndex + 1) }
    : { above: [], people: rows };
}

export function assignColumn<Field extends string>(
  mapping: ColumnMapping<Field>,
  column: number,
  field: NoInfer<Field> | null,
): ColumnMapping<Field> {
  const next: Record<Field, number | null> = { ...mapping };
  for (const one of Object.keys(next) as Field[]) if (next[one] === column) next[one] = null;
  if (field) next[field] = column;
  return next;
}

export function fieldOfColumn<Field extends string>(
  mapping: ColumnMapping<Field>,
  column: number,
): Field | null {
  return (Object.keys(mapping) as Field[]).find((field) => mapping[field] === column) ?? null;
}
