import { Checkbox, Group, Paper, Stack, Table, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { commonTexts } from '../i18n/common-texts.ts';
import { useTexts } from '../i18n/texts.ts';
import classes from './DataTable.module.css';
import type { Column, DataTableProps } from './data-table-types.ts';
import { ErrorState } from './ErrorState.tsx';
import { LoadingRows } from './LoadingRows.tsx';
import { Pager } from './Pager.tsx';
import { texts } from './texts.ts';

/**
 * A list with its loading, error and empty states. Sorting and paging are the caller's, who asks the server; on
 * phones every row is a card. Everything in it can be reached by keyboard.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { query, empty, page, pageSize, onPage } = props;
  const onPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  if (query.isPending) return <LoadingRows />;
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data.rows.length === 0 && (page ?? 1) === 1) return empty;
  const rows = query.data.rows;
  return (
    <Stack gap="md">
      {onPhone ? <Cards {...props} rows={rows} /> : <Rows {...props} rows={rows} />}
      {page !== undefined && pageSize !== undefined && onPage && (
        <Pager page={page} pageSize={pageSize} total={query.data.total} onPage={onPage} />
      )}
    </Stack>
  );
}

type Filled<Row> = DataTableProps<Row> & { readonly rows: readonly Row[] };

function Rows<Row>(props: Filled<Row>) {
  const { label, columns, rows, rowKey, actions } = props;
  const c = useTexts(commonTexts);
  const selection = useSelection(props);
  return (
    <Paper className={classes.frame ?? ''}>
      <Table.ScrollContainer minWidth={0}>
        <Table aria-label={label} highlightOnHover verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              {selection && <Table.Th w={44}>{selection.all}</Table.Th>}
              {columns.map((column) => (
                <Heading key={column.key} column={column} {...props} />
              ))}
              {actions && (
                <Table.Th>
                  <span className="visually-hidden">{c('actions')}</span>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={rowKey(row)} data-selected={selection?.has(row) || undefined}>
                {selection && <Table.Td>{selection.one(row)}</Table.Td>}
                {columns.map((column) => (
                  <Table.Td key={column.key} data-align={column.align} className={classes.cell ?? ''}>
                    {column.cell(row)}
                  </Table.Td>
                ))}
                {actions && (
                  <Table.Td>
                    <Group gap={4} justify="flex-end" wrap="nowrap">
                      {actions(row)}
                    </Group>
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
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
        className={classes.sort ?? ''}
        data-active={active || undefined}
        title={t('sortBy', { column: header })}
        onClick={() => onSort({ key, descending: active ? !descending : align === 'end' })}
      >
        {header}
        <Shown aria-hidden size={14} />
      </UnstyledButton>
    </Table.Th>
  );
}

function Cards<Row>(props: Filled<Row>) {
  const { label, columns, rows, rowKey, actions } = props;
  const selection = useSelection(props);
  const heading = columns.find((column) => column.phone === 'title') ?? columns[0];
  const shown = columns.filter((column) => column !== heading && column.phone !== 'hidden');
  return (
    <ul className={classes.cards} aria-label={label}>
      {rows.map((row) => (
        <li key={rowKey(row)} className={classes.card}>
          <Group justify="space-between" wrap="nowrap" gap="sm">
            <Group gap="sm" wrap="nowrap" className={classes.cardTitle ?? ''}>
              {selection?.one(row)}
              <div>{heading?.cell(row)}</div>
            </Group>
            {actions && (
              <Group gap={4} wrap="nowrap">
                {actions(row)}
              </Group>
            )}
          </Group>
          <dl className={classes.facts}>
            {shown.map((column) => (
              <div key={column.key}>
                <dt>{column.header}</dt>
                <dd>{column.cell(row)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

function useSelection<Row>({ selected, onSelect, rows, rowKey }: Filled<Row>) {
  const t = useTexts(texts);
  if (!selected || !onSelect) return null;
  const keys = rows.map(rowKey);
  const count = keys.filter((key) => selected.has(key)).length;
  const toggle = (changed: readonly (number | string)[], on: boolean) => {
    const next = new Set(selected);
    for (const key of changed) {
      if (on) next.add(key);
      else next.delete(key);
    }
    onSelect(next);
  };
  return {
    has: (row: Row) => selected.has(rowKey(row)),
    all: (
      <Checkbox
        aria-label={t('selectAll')}
        checked={count > 0 && count === keys.length}
        indeterminate={count > 0 && count < keys.length}
        onChange={(event) => toggle(keys, event.currentTarget.checked)}
      />
    ),
    one: (row: Row) => (
      <Checkbox
        aria-label={t('selectRow')}
        checked={selected.has(rowKey(row))}
        onChange={(event) => toggle([rowKey(row)], event.currentTarget.checked)}
      />
    ),
  };
}
