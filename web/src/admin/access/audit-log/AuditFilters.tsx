import { Checkbox, Select } from '@mantine/core';
import { useTexts } from '../../../i18n/texts.ts';
import { SchoolScopeSwitch } from '../../SchoolScopeSwitch.tsx';
import { parseOneOf, type SearchChange } from '../../search-parameters.ts';
import { type AuditSearch, callOutcomeOf, httpMethods, statusChoices } from './audit-search.ts';
import { texts } from './texts.ts';

interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (change: SearchChange<AuditSearch>) => void;
  readonly names: ReadonlyMap<number, string>;
}

export function AuditFilters({ search, onChange, names }: AuditFiltersProps) {
  const t = useTexts(texts);
  const { token } = search;
  const credentials = [...names].map(([id, name]) => ({ value: String(id), label: name }));
  if (token !== undefined && !names.has(token)) {
    credentials.push({ value: String(token), label: t('unknownCredential', { id: token }) });
  }
  const statusLabel = (status: number) => t('statusOf', { status, outcome: t(callOutcomeOf(status)) });
  const offered = new Set<number>([
    ...statusChoices,
    ...(search.status === undefined ? [] : [search.status]),
  ]);
  return (
    <>
      <SchoolScopeSwitch all={search.all} onChange={(all) => onChange({ all, token: undefined })} />
      <Select
        wrapperProps={{ 'data-filter': 'wide' }}
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
        aria-label={t('method')}
        placeholder={t('allMethods')}
        data={[...httpMethods]}
        value={search.method ?? null}
        onChange={(method) => onChange({ method: parseOneOf(httpMethods, method) })}
        clearable
      />
      <Select
        aria-label={t('status')}
        placeholder={t('allStates')}
        data={[...offered].map((status) => ({ value: String(status), label: statusLabel(status) }))}
        value={search.status === undefined ? null : String(search.status)}
        onChange={(status) => onChange({ status: status === null ? undefined : Number(status) })}
        clearable
      />
      <Checkbox
        wrapperProps={{ 'data-filter': 'tick' }}
        label={t('onlyFailed')}
        checked={search.failed === true}
        onChange={(event) => onChange({ failed: event.currentTarget.checked || undefined })}
      />
    </>
  );
}
