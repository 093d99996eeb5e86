import { Button, type ComboboxItem, type ComboboxItemGroup, Group, Select, TextInput } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import classes from './List.module.css';
import { texts } from './texts.ts';

interface FilterBarProps {
  /** Phones show two per line; `data-filter` marks search, switch and wide fields, which take a line of their own. */
  readonly children: ReactNode;
  /** Clears all filters. Pass false when no filter is set except the search, which has its own button. */
  readonly onClear: (() => void) | false;
}

export function FilterBar({ children, onClear }: FilterBarProps) {
  const t = useTexts(texts);
  return (
    <search className={`${classes.filters} no-print`} aria-label={t('filters')}>
      {children}
      {onClear && <ClearFilters onClear={onClear} />}
    </search>
  );
}

export function ClearFilters({ onClear }: { readonly onClear: () => void }) {
  const t = useTexts(texts);
  return (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<IconFilterOff aria-hidden size={16} />}
      onClick={onClear}
    >
      {t('clearFilters')}
    </Button>
  );
}

interface ListSummaryProps {
  readonly count: string;
  readonly children?: ReactNode;
}

export function ListSummary({ count, children }: ListSummaryProps) {
  return (
    <Group justify="space-between" gap="4px 16px" mih={36} mb={8} c="dimmed">
      <output>{count}</output>
      {children}
    </Group>
  );
}

interface FilterSelectProps<Value extends string | number> {
  readonly label: string;
  /** The label of the choice that filters nothing. */
  readonly all: string;
  readonly options: readonly (ComboboxItem<Value> | ComboboxItemGroup<ComboboxItem<Value>>)[];
  readonly value: Value | undefined;
  readonly onChange: (value: Value | undefined) => void;
  readonly searchable?: boolean;
  readonly loading?: boolean;
}

const all = 'all';

export function FilterSelect<Value extends string | number>(props: FilterSelectProps<Value>) {
  const { label, all: allLabel, options, value, onChange, ...select } = props;
  return (
    <Select<Value | typeof all>
      aria-label={label}
      value={value ?? all}
      onChange={(chosen) => onChange(chosen === null || chosen === all ? undefined : chosen)}
      data={[{ value: all, label: allLabel }, ...options]}
      allowDeselect={false}
      {...select}
    />
  );
}

interface DayFieldProps {
  /** Shown on hover and read by screen readers, because the filter bar has no space for it. */
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (day: string | undefined) => void;
  readonly error?: string | false;
}

export function DayField({ label, value = '', onChange, error = false }: DayFieldProps) {
  return (
    <TextInput
      type="date"
      aria-label={label}
      title={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
      error={error}
    />
  );
}
