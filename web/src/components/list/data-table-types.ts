import type { ReactNode } from 'react';
import type { Page } from '../../api/call.ts';

export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'start' | 'end';
  /** The name of the column in `Sort`. If set, the table can be sorted by this column. */
  readonly key?: string;
  readonly width?: number | string;
  /** The place on a phone's card: its heading (usually the first column), the end of the heading's line, or nowhere. */
  readonly phone?: 'title' | 'aside' | 'hidden';
}

export interface Sort {
  readonly key: string;
  readonly descending: boolean;
}

export interface TableQuery<Row> {
  readonly data: Page<Row> | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  /** True while the rows of the page or filter before are shown. */
  readonly isPlaceholderData?: boolean;
  readonly refetch: () => unknown;
}

/** Returns the query of a list whose rows are all known. */
export const knownRows = <Row>(rows: Row[]): TableQuery<Row> => ({
  data: { rows, total: rows.length },
  error: null,
  isPending: false,
  refetch: () => undefined,
});

export interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly query: TableQuery<Row>;
  readonly rowKey: (row: Row) => number | string;
  readonly empty: ReactNode;
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
  readonly page?: number;
  readonly pageSize?: number;
  /** @param gone true when the current page no longer exists, so that Back must not lead to it */
  readonly onPage?: (page: number, gone?: boolean) => void;
  /** True when the page has a button that prints the whole list. The note on paper then mentions it. */
  readonly printedWhole?: boolean;
  /** Buttons at the end of a row. For long lists, pass the same function at each render. */
  readonly actions?: (row: Row) => ReactNode;
  readonly selected?: ReadonlySet<number | string>;
  readonly onSelect?: (selected: ReadonlySet<number | string>) => void;
  /** Returns whether a row can be selected; undefined for all rows. Pass the same function at each render. */
  readonly selectable?: (row: Row) => boolean;
  readonly rowName?: (row: Row) => string;
}
