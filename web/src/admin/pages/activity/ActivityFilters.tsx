import { Button, Select, TextInput } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { useOperation } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { ReachSwitch, useReach } from '../../ReachSwitch.tsx';
import classes from './ActivityPage.module.css';
import { actionGroups, groupOfAction, type LoggedAction } from './action-groups.ts';
import { actionTexts, groupTexts } from './action-texts.ts';
import { type ActivitySearch, isFiltered } from './activity-search.ts';
import { texts } from './texts.ts';

type Change = { readonly [K in keyof ActivitySearch]?: ActivitySearch[K] | undefined };

interface ActivityFiltersProps {
  readonly search: ActivitySearch;
  readonly onChange: (change: Change) => void;
}

/** No filter at all. */
export const unfiltered: Change = { admin: undefined, action: undefined, from: undefined, to: undefined };

/** Narrows the log by who, what and when. */
export function ActivityFilters({ search, onChange }: ActivityFiltersProps) {
  const t = useTexts(texts);
  const reach = useReach(search.all === true);
  return (
    <search className={classes.filters} aria-label={t('filters')}>
      {reach.optional && (
        <div className={`${classes.own} ${classes.wide}`}>
          <ReachSwitch
            everything={reach.everything}
            onChange={(all) => onChange({ all: all || undefined, admin: undefined })}
          />
        </div>
      )}
      <AdminFilter schoolDb={reach.schoolDb} value={search.admin} onChange={(admin) => onChange({ admin })} />
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
      {isFiltered(search) && (
        <Button
          className={classes.own ?? ''}
          variant="subtle"
          color="gray"
          leftSection={<IconFilterOff aria-hidden size={16} />}
          onClick={() => onChange(unfiltered)}
        >
          {t('clearFilters')}
        </Button>
      )}
    </search>
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
  // Somebody who was deleted, or belongs to no school, is not in the list, but can be in the log.
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
  const actions = Object.keys(groupOfAction) as LoggedAction[];
  return (
    <Select
      label={t('what')}
      placeholder={t('everyAction')}
      data={actionGroups.map((group) => ({
        group: g(group),
        items: actions
          .filter((action) => groupOfAction[action] === group)
          .map((action) => ({ value: action as string, label: a(action) })),
      }))}
      value={value ?? null}
      onChange={(action) => onChange((action ?? undefined) as LoggedAction | undefined)}
      searchable
      clearable
    />
  );
}
