import { Group, Paper } from '@mantine/core';
import { memo, type ReactNode, useMemo } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { OneLine } from './cells.tsx';
import classes from './DataTable.module.css';
import type { Column } from './data-table-types.ts';
import { texts } from './texts.ts';

interface DataTableRowProps<Row> {
  readonly row: Row;
  readonly id: number | string;
  readonly columns: readonly Column<Row>[];
  readonly actions: ((row: Row) => ReactNode) | undefined;
  /** Null when this row cannot be selected, undefined when no row can. */
  readonly selected: boolean | null | undefined;
  readonly nameOf: ((row: Row) => string) | undefined;
  readonly onSelect: (id: number | string, selected: boolean) => void;
}

/** Memoised, because a table may have hundreds of rows. */
export const TableRow = memo(TableRowContent) as typeof TableRowContent;

function TableRowContent<Row>(props: DataTableRowProps<Row>) {
  const { row, columns, actions, selected } = props;
  return (
    <tr className={classes.row} data-selected={selected || undefined}>
      {selected !== undefined && (
        <td className="no-print">
          <SelectRowCheckbox {...props} />
        </td>
      )}
      <Cells row={row} columns={columns} actions={actions} />
    </tr>
  );
}

function SelectRowCheckbox<Row>({ row, id, nameOf, selected, onSelect }: DataTableRowProps<Row>) {
  const t = useTexts(texts);
  const label = useMemo(
    () => (nameOf ? t('selectRowNamed', { name: nameOf(row) }) : t('selectRow')),
    [t, nameOf, row],
  );
  if (selected == null) return null;
  return <RowCheckbox label={label} checked={selected} onChange={(on) => onSelect(id, on)} />;
}

type ContentProps<Row> = Pick<DataTableRowProps<Row>, 'row' | 'columns' | 'actions'>;

/** Separate from the checkbox and memoised, so that selecting all rows does not render every cell again. */
const Cells = memo(CellsContent) as typeof CellsContent;

function CellsContent<Row>({ row, columns, actions }: ContentProps<Row>) {
  const heading = headingOf(columns);
  return (
    <>
      {columns.map((column) => (
        <td
          key={column.header}
          data-align={column.align}
          data-title={column === heading || undefined}
          className={classes.cell}
        >
          {column.cell(row)}
        </td>
      ))}
      {actions && (
        <td className="no-print">
          <Group justify="flex-end" gap={4} wrap="nowrap">
            {actions(row)}
          </Group>
        </td>
      )}
    </>
  );
}

export const RowCard = memo(RowCardContent) as typeof RowCardContent;

function RowCardContent<Row>(props: DataTableRowProps<Row>) {
  const { row, columns, actions, selected } = props;
  const heading = headingOf(columns);
  return (
    <Paper
      component="li"
      className={classes.card ?? ''}
      withBorder
      px="md"
      py={14}
      data-selected={selected || undefined}
    >
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Group gap="sm" wrap="nowrap" miw={0} fw={600}>
          <SelectRowCheckbox {...props} />
          <div>{heading?.cell(row)}</div>
        </Group>
        <Group gap={4} wrap="nowrap">
          {columns
            .filter(({ phone }) => phone === 'aside')
            .map((column) => (
              <OneLine key={column.header}>
                <span className="visually-hidden">{column.header}</span> {column.cell(row)}
              </OneLine>
            ))}
          {actions?.(row)}
        </Group>
      </Group>
      <Facts row={row} columns={columns} />
    </Paper>
  );
}

const Facts = memo(FactsContent) as typeof FactsContent;

function FactsContent<Row>({ row, columns }: Pick<DataTableRowProps<Row>, 'row' | 'columns'>) {
  const heading = headingOf(columns);
  const shown = columns.filter(
    (column) => column !== heading && column.phone !== 'hidden' && column.phone !== 'aside',
  );
  return (
    <dl className={classes.facts}>
      {shown.map((column) => (
        <div key={column.header}>
          <dt>{column.header}</dt>
          <dd>{column.cell(row)}</dd>
        </div>
      ))}
    </dl>
  );
}

function headingOf<Row>(columns: readonly Column<Row>[]): Column<Row> | undefined {
  return columns.find((column) => column.phone === 'title') ?? columns[0];
}

interface RowCheckboxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly partly?: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** Uses the browser's checkbox, which renders fast enough for hundreds of rows. */
export function RowCheckbox({ label, checked, partly = false, onChange }: RowCheckboxProps) {
  return (
    <input
      type="checkbox"
      className={`mantine-focus-auto ${classes.checkbox}`}
      aria-label={label}
      checked={checked}
      ref={partly ? setIndeterminate : clearIndeterminate}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

// No attribute sets this state. React calls a ref function again if it is a new one, so these are constants.
function setIndeterminate(input: HTMLInputElement | null): void {
  if (input) input.indeterminate = true;
}

function clearIndeterminate(input: HTMLInputElement | null): void {
  if (input) input.indeterminate = false;
}
