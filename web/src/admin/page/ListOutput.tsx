import type { ReadingOptions } from '../../api/read-all.ts';
import { SaveTableMenu } from '../../components/list/SaveTableMenu.tsx';
import { PrintButton } from '../../components/print/PrintButton.tsx';
import { type PrintedColumn, PrintedTable } from '../../components/print/PrintedTable.tsx';
import { type SavedColumn, tableOf } from '../../spreadsheets/csv.ts';
import { useSchool } from '../school.tsx';

interface ListOutputProps<Row> {
  readonly title: string;
  /** Follows the name of the school. */
  readonly fileName: string;
  /** Undefined while the list loads. The buttons are there already, so that nothing moves. */
  readonly total: number | undefined;
  readonly read: (options: ReadingOptions) => Promise<readonly Row[]>;
  /** The filters in words. */
  readonly filters: readonly string[];
  readonly count: (count: number) => string;
  readonly landscape?: boolean;
  readonly printedColumns: (rows: readonly Row[]) => readonly PrintedColumn<Row>[];
  readonly savedColumns: readonly SavedColumn<Row>[];
}

/** Buttons that print a whole list, and that save it as a file. */
export function ListOutput<Row>(props: ListOutputProps<Row>) {
  const { title, fileName, total, read, filters, count, landscape = false } = props;
  const { name } = useSchool();
  if (total === 0) return null;
  return (
    <>
      <PrintButton
        rowCount={total ?? 0}
        build={async (options) => {
          const rows = await read(options);
          const content = <PrintedTable columns={props.printedColumns(rows)} rows={rows} />;
          return { title, subject: name, filters, count: count(rows.length), landscape, content };
        }}
      />
      <SaveTableMenu
        name={`${name} ${fileName}`}
        rowCount={total ?? 0}
        build={async (options) => tableOf(props.savedColumns, await read(options))}
      />
    </>
  );
}
