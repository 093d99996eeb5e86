import { Select } from '@mantine/core';
import { FilterBar } from '../../../components/list/FilterBar.tsx';
import { SearchField } from '../../../components/list/SearchField.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { RangePickers } from '../../RangePickers.tsx';
import { parseOneOf, type SearchChange } from '../../search-parameters.ts';
import { texts } from '../texts.ts';
import {
  isFiltered,
  passwordKeys,
  type StudentsSearch,
  studentStates,
  unfiltered,
} from './students-search.ts';

interface StudentFiltersProps {
  readonly search: StudentsSearch;
  readonly onChange: (change: SearchChange<StudentsSearch>) => void;
}

export function StudentFilters({ search, onChange }: StudentFiltersProps) {
  const t = useTexts(texts);
  return (
    <FilterBar onClear={isFiltered(search) && (() => onChange(unfiltered))}>
      <SearchField
        placeholder={t('searchPlaceholder')}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q: q === '' ? undefined : q })}
      />
      <RangePickers value={search} onChange={onChange} />
      <Select
        aria-label={t('state')}
        value={search.state ?? 'all'}
        onChange={(state) => onChange({ state: parseOneOf(studentStates, state) })}
        data={[
          { value: 'all', label: t('stateAll') },
          { value: 'active', label: t('stateActive') },
          { value: 'disabled', label: t('stateDisabled') },
        ]}
        allowDeselect={false}
      />
      <Select
        aria-label={t('password')}
        value={search.password ?? 'all'}
        onChange={(chosen) => {
          const password = parseOneOf(passwordKeys, chosen);
          // Shows only active students, because others cannot sign in with a new password.
          onChange(password ? { password, state: 'active' } : { password });
        }}
        data={['all' as const, ...passwordKeys].map((value) => ({ value, label: t(`password_${value}`) }))}
        allowDeselect={false}
      />
    </FilterBar>
  );
}
