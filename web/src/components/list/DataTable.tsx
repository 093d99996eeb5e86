import { Paper, Stack, Table, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { useEffect } from 'react';
import { commonTexts } from '../../i18n/common-texts.ts';
import { useTexts } from '../../i18n/texts.ts';
import { ErrorState } from '../ErrorState.tsx';
import { LoadingRows } from '../LoadingRows.tsx';
import { texts as printTexts } from '../print/texts.ts';
import { useIsPhone } from '../use-is-phone.ts';
import classes from './DataTable.module.css';
import { RowCard, TableRow } from './DataTableRow.tsx';
import type { Column, DataTableProps } from './data-table-types.ts';
import { Pager } from './Pager.tsx';
import { RowCheckbox } from './RowCheckbox.tsx';
import { SortChoice } from './SortChoice.tsx';
import { texts } from './texts.ts';
import { useRowSelection } from './use-row-selection.ts';

/** Shows a table, or cards on a phone; the caller sorts and pages. Goes to the last page if `page` is beyond it. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, query, empty, page, pageSize, onPage } = props;
  const onPhone = useIsPhone();
  const last = lastPageOf(props);
  useEffect(() => {
    if (page !== undefined && page > last) onPage?.(last, true);
  }, [page, last, onPage]);
  if (query.isPending) return <LoadingRows />;
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const { rows, total } = query.data;
  const busy = {
    className: query.isPlaceholderData ? (classes.busy ?? '') : '',
    'aria-busy': query.isPlaceholderData,
  };
  if (rows.length === 0 && (page ?? 1) === 1) return <div {...busy}>{empty}</div>;
  return (
    <Stack gap="md" {...busy}>
      <PartOnPaper {...props} total={total} />
      {onPhone && <SortChoice {...props} />}
      {onPhone ? <Cards {...props} rows={rows} /> : <Rows {...props} rows={rows} />}
      {page !== undefined && pageSize !== undefined && onPage && (
        <Pager list={label} page={page} pageSize={pageSize} total={total} onPage={onPage} />
      )}
    </Stack>
  );
}

function lastPageOf<Row>({ query: { data, isPlaceholderData }, pageSize }: DataTableProps<Row>): number {
  if (!data || isPlaceholderData || pageSize === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(1, Math.ceil(data.total / pageSize));
}

/** Prints that the list is incomplete, because the browser's print command does not load the other pages. */
function PartOnPaper<Row>({
  page = 1,
  pageSize,
  total,
  printedWhole,
}: DataTableProps<Row> & { readonly total: number }) {
  const t = useTexts(printTexts);
  if (pageSize === undefined || total <= pageSize) return null;
  const from = (page - 1) * pageSize + 1;
  return (
    <p className="only-print">
      <strong>
        {t('partOfList', { from, to: Math.min(total, page * pageSize), total })}{' '}
        {printedWhole && t('wholeByButton')}
      </strong>
    </p>
  );
}

type Filled<Row> = DataTableProps<Row> & { readonly rows: readonly Row[] };

function Rows<Row>(props: Filled<Row>) {
  const { label, columns, rows, rowKey, rowName, actions } = props;
  const c = useTexts(commonTexts);
  const { all, isSelected, toggleOne } = useRowSelection(props);
  return (
    <Paper className={classes.frame ?? ''}>
      <Table.ScrollContainer minWidth={0} scrollAreaProps={{ offsetScrollbars: false }}>
        <Table aria-label={label} verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              {all.possible && (
                <Table.Th w={44} className="no-print">
                  <RowCheckbox {...all} />
                </Table.Th>
              )}
              {columns.map((column) => (
                <Heading key={column.key} column={column} {...props} />
              ))}
              {actions && (
                <Table.Th className="no-print">
                  <span className="visually-hidden">{c('actions')}</span>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <tbody>
            {rows.map((row) => (
              <TableRow
                key={rowKey(row)}
                row={row}
                id={rowKey(row)}
                columns={columns}
                actions={actions}
                selected={isSelected(row)}
                nameOf={rowName}
                onSelect={toggleOne}
              />
            ))}
          </tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

function Heading<Row>({ column, sort, onSort }: DataTableProps<Row> & { readonly column: Column<Row> }) {
  const t = useTexts(texts);
  const { key, header, align, width, sortable } = column;
  const shared = {
    'data-align': align,
    className: classes.cell ?? '',
    ...(width !== undefined && { w: width }),
  };
  if (!sortable || !onSort) return <Table.Th {...shared}>{header}</Table.Th>;
  const active = sort?.key === key;
  const descending = active && sort.descending;
  const Shown = active ? (descending ? IconArrowDown : IconArrowUp) : IconArrowsSort;
  return (
    <Table.Th {...shared} aria-sort={active ? (descending ? 'descending' : 'ascending') : 'none'}>
      <UnstyledButton
        className={`${classes.sort} no-print`}
        data-active={active || undefined}
        title={t('sortBy', { column: header })}
        onClick={() => onSort({ key, descending: active ? !descending : align === 'end' })}
      >
        {header}
        <Shown aria-hidden size={14} />
      </UnstyledButton>
      {/* Repeats the text of the button, which browsers omit when they repeat the table head on a sheet. */}
      <span className="only-print">{header}</span>
    </Table.Th>
  );
}

function Cards<Row>(props: Filled<Row>) {
  const { label, columns, rows, rowKey, rowName, actions } = props;
  const { isSelected, toggleOne } = useRowSelection(props);
  return (
    <ul className={classes.cards} aria-label={label}>
      {rows.map((row) => (
        <RowCard
          key={rowKey(row)}
          row={row}
          id={rowKey(row)}
          columns={columns}
          actions={actions}
          selected={isSelected(row)}
          nameOf={rowName}
          onSelect={toggleOne}
        />
      ))}
    </ul>
  );
}
