import type { ReactNode } from 'react';
import type { Page } from '../../api/call.ts';

export interface Column<Row> {
  readonly key: string;
  /** The heading; on phones the label beside the value. */
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand at the end. */
  readonly align?: 'start' | 'end';
  readonly sortable?: boolean;
  readonly width?: number | string;
  /** On phones each row is a card: `title` heads it, `aside` stands at the end of that line, `hidden` is left out. */
  readonly phone?: 'title' | 'aside' | 'hidden';
}

export interface Sort {
  readonly key: string;
  readonly descending: boolean;
}

/** As useQuery answers; other lists make one of these. */
export interface TableQuery<Row> {
  readonly data: Page<Row> | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  /** The rows are of another page or filter, until those that are asked for come. */
  readonly isPlaceholderData?: boolean;
  readonly refetch: () => unknown;
}

export interface DataTableProps<Row> {
  /** What the table holds, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** The answer of useOperationList. */
  readonly query: TableQuery<Row>;
  readonly rowKey: (row: Row) => number | string;
  /** Shown when there are no rows; an EmptyState. */
  readonly empty: ReactNode;
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
  /** From 1. Without it there are no pages. */
  readonly page?: number;
  readonly pageSize?: number;
  /** @param gone the page that is shown is there no more: the way back shall not lead to it */
  readonly onPage?: (page: number, gone?: boolean) => void;
  /** The page has a button that prints the whole list. */
  readonly printedWhole?: boolean;
  /** Buttons at the end of a row. Where there may be many rows, let it be the same function at each drawing. */
  readonly actions?: (row: Row) => ReactNode;
  readonly selected?: ReadonlySet<number | string>;
  readonly onSelect?: (selected: ReadonlySet<number | string>) => void;
  /** Which rows can be selected, where that is not all. Let it be the same function at each drawing. */
  readonly selectable?: (row: Row) => boolean;
  /** What those who hear the checkbox of a row call the row. */
  readonly rowName?: (row: Row) => string;
}
