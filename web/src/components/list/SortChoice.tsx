import { ActionIcon, Group, Select } from '@mantine/core';
import { IconSortAscending, IconSortDescending } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import type { DataTableProps } from './data-table-types.ts';
import { texts } from './texts.ts';

/** Sorts cards on a phone, which have no column headings. Renders nothing if no column can be sorted. */
export function SortChoice<Row>({ columns, sort, onSort }: DataTableProps<Row>) {
  const t = useTexts(texts);
  const sortable = columns.filter((column) => column.sortable);
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
