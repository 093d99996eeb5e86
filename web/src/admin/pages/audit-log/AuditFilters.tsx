import { Button, Checkbox, Select } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { useTexts } from '../../../i18n/texts.ts';
import { ReachSwitch, useReach } from '../../ReachSwitch.tsx';
import classes from './AuditLogPage.module.css';
import { type AuditSearch, isFiltered, methods, outcomeOf, statuses } from './audit-search.ts';
import { texts } from './texts.ts';

export type AuditChange = { readonly [K in keyof AuditSearch]?: AuditSearch[K] | undefined };

/** No filter at all. */
export const unfiltered: AuditChange = {
  token: undefined,
  method: undefined,
  status: undefined,
  failed: undefined,
};

interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (change: AuditChange) => void;
  /** Names of credentials by id. */
  readonly names: ReadonlyMap<number, string>;
}

/** Narrows the log by credential, method and outcome. */
export function AuditFilters({ search, onChange, names }: AuditFiltersProps) {
  const t = useTexts(texts);
  const reach = useReach(search.all === true);
  const { token } = search;
  const credentials = [...names].map(([id, name]) => ({ value: String(id), label: name }));
  if (token !== undefined && !names.has(token)) {
    credentials.push({ value: String(token), label: t('unknownCredential', { id: token }) });
  }
  const statusLabel = (status: number) => t('statusOf', { status, outcome: t(outcomeOf(status)) });
  const offered = new Set<number>([...statuses, ...(search.status === undefined ? [] : [search.status])]);
  return (
    <search className={classes.filters} aria-label={t('filters')}>
      {reach.optional && (
        <div className={classes.wide}>
          <ReachSwitch
            everything={reach.everything}
            onChange={(all) => onChange({ all: all || undefined, token: undefined })}
          />
        </div>
      )}
      <Select
        className={`${classes.field} ${classes.wide}`}
        aria-label={t('credential')}
        placeholder={t('allCredentials')}
        data={credentials}
        value={token === undefined ? null : String(token)}
        onChange={(id) => onChange({ token: id === null ? undefined : Number(id) })}
        searchable
        clearable
        limit={100}
      />
      <Select
        className={classes.field ?? ''}
        aria-label={t('method')}
        placeholder={t('allMethods')}
        data={[...methods]}
        value={search.method ?? null}
        onChange={(method) => onChange({ method: methods.find((one) => one === method) })}
        clearable
      />
      <Select
        className={classes.field ?? ''}
        aria-label={t('status')}
        placeholder={t('allStatuses')}
        data={[...offered].map((status) => ({ value: String(status), label: statusLabel(status) }))}
        value={search.status === undefined ? null : String(search.status)}
        onChange={(status) => onChange({ status: status === null ? undefined : Number(status) })}
        clearable
      />
      <Checkbox
        label={t('onlyFailed')}
        checked={search.failed === true}
        onChange={(event) => onChange({ failed: event.currentTarget.checked || undefined })}
      />
      {isFiltered(search) && (
        <Button
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
