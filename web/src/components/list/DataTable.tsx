import { ActionIcon, Group, Paper, Select, Stack, Table, Text, UnstyledButton } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowsSort,
  IconArrowUp,
  IconChevronLeft,
  IconChevronRight,
  IconSortAscending,
  IconSortDescending,
} from '@tabler/icons-react';
import { useCallback, useDeferredValue, useEffect, useRef } from 'react';
import { commonTexts } from '../../i18n/common-texts.ts';
import { useTexts } from '../../i18n/texts.ts';
import { ErrorState } from '../ErrorState.tsx';
import { LoadingRows } from '../LoadingRows.tsx';
import { texts as printTexts } from '../print/texts.ts';
import { useIsPhone } from '../use-is-phone.ts';
import classes from './DataTable.module.css';
import { RowCard, RowCheckbox, TableRow } from './DataTableRow.tsx';
import type { Column, DataTableProps } from './data-table-types.ts';
import { texts } from './texts.ts';

/** Shows a table, or cards on a phone; the caller sorts and pages. Goes to the last page if `page` is beyond it. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, query, empty, page, pageSize, onPage } = props;
  const onPhone = useIsPhone();
  const last = lastPageOf(props);
  useEffect(() => {
    if (page !== undefined && page > last) onPage?.(last, true);
  }, [page, last, onPage]);
  // React renders deferred rows in short slices, so the page reacts to presses meanwhile.
  const data = useDeferredValue(query.data);
  if (query.isPending || (query.data && !data)) return <LoadingRows />;
  if (!query.data || !data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const { rows, total } = data;
  const busy = {
    className: query.isPlaceholderData ? 'stale' : '',
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
  return lastPage(data.total, pageSize);
}

const lastPage = (total: number, pageSize: number) => Math.max(1, Math.ceil(total / pageSize));

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
  const { label, columns, actions } = props;
  const c = useTexts(commonTexts);
  const { all, shown } = useRows(props, TableRow);
  return (
    <Paper className={classes.frame ?? ''} withBorder>
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
                <Heading key={column.header} column={column} {...props} />
              ))}
              {actions && (
                <Table.Th className="no-print">
                  <span className="visually-hidden">{c('actions')}</span>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <tbody className="ruled">{shown}</tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

function Heading<Row>({ column, sort, onSort }: DataTableProps<Row> & { readonly column: Column<Row> }) {
  const t = useTexts(texts);
  const { key, header, align, width } = column;
  const shared = {
    'data-align': align,
    className: classes.cell ?? '',
    ...(width !== undefined && { w: width }),
  };
  if (!onSort || key === undefined) return <Table.Th {...shared}>{header}</Table.Th>;
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
  return (
    <Stack component="ul" gap={10} className="plain-list" aria-label={props.label}>
      {useRows(props, RowCard).shown}
    </Stack>
  );
}

type Key = number | string;

/** Returns the rendered rows, and the properties of the checkbox that selects all of them. */
function useRows<Row>(props: Filled<Row>, Shown: typeof TableRow<Row>) {
  const { selected, rows, rowKey, selectable } = props;
  const t = useTexts(texts);
  const latest = useRef(props);
  latest.current = props;
  // The same function at each render, so that selecting one row does not render the others again.
  const toggle = useCallback((keys: readonly Key[], on: boolean) => {
    const next = new Set(latest.current.selected);
    for (const key of keys) {
      if (on) next.add(key);
      else next.delete(key);
    }
    latest.current.onSelect?.(next);
  }, []);
  const toggleOne = useCallback((key: Key, on: boolean) => toggle([key], on), [toggle]);
  const keys = (selectable ? rows.filter(selectable) : rows).map(rowKey);
  const possible = selected !== undefined && (selectable === undefined || keys.length > 0);
  const count = selected ? keys.filter((key) => selected.has(key)).length : 0;
  const isSelected = (row: Row): boolean | null | undefined => {
    if (!possible) return undefined;
    return selectable?.(row) === false ? null : selected.has(rowKey(row));
  };
  return {
    shown: rows.map((row) => (
      <Shown
        key={rowKey(row)}
        row={row}
        id={rowKey(row)}
        columns={props.columns}
        actions={props.actions}
        selected={isSelected(row)}
        nameOf={props.rowName}
        onSelect={toggleOne}
      />
    )),
    all: {
      possible,
      label: t('selectAll'),
      checked: count > 0 && count === keys.length,
      partly: count > 0 && count < keys.length,
      onChange: (on: boolean) => toggle(keys, on),
    },
  };
}

/** Sorts cards on a phone, which have no column headings. Renders nothing if no column can be sorted. */
function SortChoice<Row>({ columns, sort, onSort }: DataTableProps<Row>) {
  const t = useTexts(texts);
  const sortable = columns.flatMap(({ key, header, align }) => (key ? [{ key, header, align }] : []));
  if (!onSort || sortable.length === 0) return null;
  const descending = sort?.descending ?? false;
  const Shown = descending ? IconSortDescending : IconSortAscending;
  return (
    <Group gap="xs" wrap="nowrap" className="no-print">
      <Select
        flex={1}
        aria-label={t('order')}
        placeholder={t('order')}
        value={sort?.key ?? null}
        onChange={(key) => {
          const column = sortable.find((one) => one.key === key);
          // Numbers start with the highest, which people usually look for.
          if (column) onSort({ key: column.key, descending: column.align === 'end' });
        }}
        data={sortable.map(({ key, header }) => ({ value: key, label: t('sortBy', { column: header }) }))}
        allowDeselect={false}
      />
      <ActionIcon
        variant="default"
        size={44}
        disabled={!sort}
        aria-label={t(descending ? 'descending' : 'ascending')}
        onClick={() => sort && onSort({ ...sort, descending: !descending })}
      >
        <Shown aria-hidden size={20} />
      </ActionIcon>
    </Group>
  );
}

interface PagerProps {
  readonly list: string;
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}

const TurnButton = ActionIcon.withProps({ className: 'no-print', variant: 'default', size: 'lg' });

function Pager({ list, page, pageSize, total, onPage }: PagerProps) {
  const t = useTexts(texts);
  const last = lastPage(total, pageSize);
  // Shown even for a single page when the current page no longer exists, so that the user can go back.
  if (last === 1 && page === 1) return null;
  const from = Math.min(total, (page - 1) * pageSize + 1);
  return (
    <Group component="nav" aria-label={t('pagesOf', { list })} justify="flex-end" gap="xs">
      <Text size="sm" c="dimmed" aria-live="polite">
        {t('rangeOf', { from, to: Math.min(total, page * pageSize), total })}
      </Text>
      <TurnButton
        aria-label={t('previousPage')}
        disabled={page <= 1}
        onClick={() => onPage(Math.min(page - 1, last))}
      >
        <IconChevronLeft aria-hidden size={18} />
      </TurnButton>
      <TurnButton aria-label={t('nextPage')} disabled={page >= last} onClick={() => onPage(page + 1)}>
        <IconChevronRight aria-hidden size={18} />
      </TurnButton>
    </Group>
  );
}
