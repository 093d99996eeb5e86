import { memo } from 'react';
import classes from './Print.module.css';

export interface PrintedColumn<Row> {
  readonly header: string;
  readonly cell: (row: Row) => string;
  readonly align?: 'end';
  readonly wide?: boolean;
}

interface PrintedTableProps<Row> {
  readonly title?: string;
  readonly hint?: string;
  readonly columns: readonly PrintedColumn<Row>[];
  readonly rows: readonly Row[];
}

/** A table for paper, whose head the browser repeats on each sheet. Memoised: it may have thousands of rows. */
export const PrintedTable = memo(PrintedTableContent) as typeof PrintedTableContent;

function PrintedTableContent<Row>({ title, hint, columns, rows }: PrintedTableProps<Row>) {
  return (
    <table className={classes.table}>
      {title !== undefined && (
        <caption>
          <strong>{title}</strong>
          {hint !== undefined && ` ${hint}`}
        </caption>
      )}
      <thead>
        <tr>
          {columns.map(({ header, align, wide }) => (
            <th key={header} data-align={align} data-wide={wide}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: printed rows never move
          <tr key={index}>
            {columns.map(({ header, align, cell }) => (
              <td key={header} data-align={align}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
