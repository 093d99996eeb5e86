import { loggedActions } from 'virtual:admin-contract';
import type { LoggedAction } from '@classledger/contract';
import { Select, TextInput } from '@mantine/core';
import { useOperation } from '../../../api/queries.ts';
import { FilterBar } from '../../../components/list/FilterBar.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { SchoolScopeSwitch, useSchoolScope } from '../../SchoolScopeSwitch.tsx';
import { parseOneOf, type SearchChange } from '../../search-parameters.ts';
import { type ActionsByGroup, actionsByGroup, actionTexts, groupTexts } from '../action-texts.ts';
import { type ActivitySearch, isFiltered, unfiltered } from './activity-search.ts';
import { texts } from './texts.ts';

interface ActivityFiltersProps {
  readonly search: ActivitySearch;
  readonly onChange: (change: SearchChange<ActivitySearch>) => void;
}

export function ActivityFilters({ search, onChange }: ActivityFiltersProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchoolScope(search.all);
  return (
    <FilterBar onClear={isFiltered(search) && (() => onChange(unfiltered))}>
      <SchoolScopeSwitch all={search.all} onChange={(all) => onChange({ all, admin: undefined })} />
      <AdminFilter schoolDb={schoolDb} value={search.admin} onChange={(admin) => onChange({ admin })} />
      <ActionFilter value={search.action} onChange={(action) => onChange({ action })} />
      <TextInput
        type="date"
        label={t('from')}
        value={search.from ?? ''}
        max={search.to}
        onChange={(event) => onChange({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label={t('to')}
        value={search.to ?? ''}
        min={search.from}
        onChange={(event) => onChange({ to: event.currentTarget.value || undefined })}
      />
    </FilterBar>
  );
}

interface AdminFilterProps {
  readonly schoolDb: string | undefined;
  readonly value: number | undefined;
  readonly onChange: (admin: number | undefined) => void;
}

function AdminFilter({ schoolDb, value, onChange }: AdminFilterProps) {
  const t = useTexts(texts);
  const { data, isPending } = useOperation('listAdministrators', { query: { schoolDb } });
  const known = (data ?? []).map(({ id, username }) => ({ value: String(id), label: username }));
  // Adds an administrator whom the list lacks, because the log also contains deleted and super administrators.
  const missing = value !== undefined && !known.some((one) => one.value === String(value));
  return (
    <Select
      label={t('who')}
      placeholder={t('everybody')}
      data={missing ? [...known, { value: String(value), label: t('unknownAdmin', { id: value }) }] : known}
      value={value === undefined ? null : String(value)}
      onChange={(id) => onChange(id === null ? undefined : Number(id))}
      loading={isPending}
      searchable
      clearable
      limit={100}
    />
  );
}

interface ActionFilterProps {
  readonly value: LoggedAction | undefined;
  readonly onChange: (action: LoggedAction | undefined) => void;
}

function ActionFilter({ value, onChange }: ActionFilterProps) {
  const t = useTexts(texts);
  const a = useTexts(actionTexts);
  const g = useTexts(groupTexts);
  const groups = Object.keys(actionsByGroup) as (keyof ActionsByGroup)[];
  return (
    <Select
      label={t('what')}
      placeholder={t('everyAction')}
      data={groups.map((group) => ({
        group: g(group),
        items: Object.keys(actionsByGroup[group]).map((action) => ({
          value: action,
          label: a(action as LoggedAction),
        })),
      }))}
      value={value ?? null}
      onChange={(action) => onChange(parseOneOf(loggedActions, action))}
      searchable
      clearable
    />
  );
}
