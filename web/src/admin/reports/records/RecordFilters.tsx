import type { Author } from '@classledger/contract';
import { Button, Select } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useState } from 'react';
import { DayField } from '../../../components/list/DayField.tsx';
import { ClearFilters } from '../../../components/list/FilterBar.tsx';
import { SearchField } from '../../../components/list/SearchField.tsx';
import { texts as listTexts } from '../../../components/list/texts.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { dayBefore, useSchoolTime } from '../../../school-time/school-time.ts';
import { RangePickers } from '../../RangePickers.tsx';
import { parseOneOf, type SearchChange } from '../../search-parameters.ts';
import { AuthorPicker } from './AuthorPicker.tsx';
import classes from './Records.module.css';
import {
  filterCount,
  isDayRangeOrdered,
  type RecordsSearch,
  recordKinds,
  recordPeriods,
  unfiltered,
} from './records-search.ts';
import { TermPicker } from './TermPicker.tsx';
import { texts } from './texts.ts';

interface RecordFiltersProps {
  readonly search: RecordsSearch;
  readonly onChange: (change: SearchChange<RecordsSearch>) => void;
}

interface AllFiltersProps extends RecordFiltersProps {
  readonly authors: readonly Author[];
}

const all = 'all';

export function RecordFilters({ search, onChange, authors }: AllFiltersProps) {
  const t = useTexts(texts);
  const l = useTexts(listTexts);
  const [open, setOpen] = useState(false);
  const count = filterCount(search);
  const behind = search.q === undefined ? count : count - 1;
  return (
    <search
      className={`${classes.filters} no-print`}
      aria-label={l('filters')}
      {...(open && { 'data-open': '' })}
    >
      <SearchField
        placeholder={t('searchPlaceholder')}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q: q === '' ? undefined : q })}
      />
      <Button
        variant="default"
        className={classes.toggle ?? ''}
        leftSection={<IconAdjustmentsHorizontal aria-hidden size={16} />}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {behind === 0 ? l('filters') : t('filtersCount', { count: behind })}
      </Button>
      <RangePickers value={search} onChange={onChange} />
      <Select
        aria-label={t('kind')}
        value={search.kind ?? all}
        onChange={(kind) => onChange({ kind: parseOneOf(recordKinds, kind) })}
        data={[
          { value: all, label: t('kindAll') },
          { value: 'plus', label: t('plus') },
          { value: 'minus', label: t('minus') },
        ]}
        allowDeselect={false}
      />
      <PeriodFilter search={search} onChange={onChange} />
      <AuthorPicker
        value={search.by ?? null}
        onChange={(by) => onChange({ by: by ?? undefined })}
        shown={authors}
      />
      <TermPicker
        classId={search.class ?? null}
        value={search.term ?? null}
        onChange={(term) => onChange({ term: term ?? undefined })}
      />
      <Select
        aria-label={t('state')}
        value={search.state ?? 'live'}
        onChange={(state) => onChange({ state: state === 'revoked' ? state : undefined })}
        data={[
          { value: 'live', label: t('stateLive') },
          { value: 'revoked', label: t('stateRevoked') },
        ]}
        allowDeselect={false}
      />
      {count > 0 && <ClearFilters onClear={() => onChange(unfiltered)} />}
    </search>
  );
}

function PeriodFilter({ search, onChange }: RecordFiltersProps) {
  const t = useTexts(texts);
  const { today } = useSchoolTime();
  const own = search.from !== undefined || search.to !== undefined;
  const labels = { today: t('periodToday'), week: t('periodWeek'), month: t('periodMonth') };
  const choose = (value: string | null) => {
    if (value === 'own') {
      onChange({ period: undefined, from: dayBefore(today(), 30), to: today() });
    } else {
      onChange({ period: parseOneOf(recordPeriods, value), from: undefined, to: undefined });
    }
  };
  return (
    <>
      <Select
        aria-label={t('period')}
        value={own ? 'own' : (search.period ?? all)}
        onChange={choose}
        data={[
          { value: all, label: t('periodAll') },
          ...recordPeriods.map((value) => ({ value, label: labels[value] })),
          { value: 'own', label: t('periodOwn') },
        ]}
        allowDeselect={false}
      />
      {own && (
        <>
          <DayField label={t('from')} value={search.from} onChange={(from) => onChange({ from })} />
          <DayField
            label={t('to')}
            value={search.to}
            onChange={(to) => onChange({ to })}
            error={!isDayRangeOrdered(search) && t('daysTurned')}
          />
        </>
      )}
    </>
  );
}
