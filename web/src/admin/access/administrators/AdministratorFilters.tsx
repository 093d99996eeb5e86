import { roles } from 'virtual:admin-contract';
import { Select } from '@mantine/core';
import { FilterBar } from '../../../components/list/FilterBar.tsx';
import { SearchField } from '../../../components/list/SearchField.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { ReachSwitch, useReach } from '../../ReachSwitch.tsx';
import { parseOneOf, type SearchChange } from '../../search-parameters.ts';
import { texts as shellTexts } from '../../shell/texts.ts';
import { type AdministratorsSearch, isFiltered, states, unfiltered } from './administrators-search.ts';
import { texts } from './texts.ts';

interface AdministratorFiltersProps {
  readonly search: AdministratorsSearch;
  readonly onChange: (change: SearchChange<AdministratorsSearch>) => void;
}

export function AdministratorFilters({ search, onChange }: AdministratorFiltersProps) {
  const t = useTexts(texts);
  const s = useTexts(shellTexts);
  const reach = useReach(search.all === true);
  return (
    <FilterBar onClear={isFiltered(search) && (() => onChange(unfiltered))}>
      {reach.optional && (
        <ReachSwitch everything={reach.everything} onChange={(all) => onChange({ all: all || undefined })} />
      )}
      <SearchField
        placeholder={t('searchPlaceholder')}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q: q || undefined })}
      />
      <Select
        aria-label={t('role')}
        placeholder={t('allRoles')}
        data={roles.map((role) => ({ value: role as string, label: s(role) }))}
        value={search.role ?? null}
        onChange={(role) => onChange({ role: parseOneOf(roles, role) })}
        clearable
      />
      <Select
        aria-label={t('state')}
        placeholder={t('allStates')}
        data={states.map((state) => ({ value: state as string, label: t(state) }))}
        value={search.state ?? null}
        onChange={(state) => onChange({ state: parseOneOf(states, state) })}
        clearable
      />
    </FilterBar>
  );
}
