import type { Author } from '@classledger/contract';
import { Button, Select, TextInput } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconFilterOff } from '@tabler/icons-react';
import { useState } from 'react';
import { SearchField } from '../../../components/SearchField.tsx';
import { ClassPicker, GradePicker } from '../../../components/StructurePickers.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { AuthorPicker } from './AuthorPicker.tsx';
import classes from './Records.module.css';
import {
  dayBefore,
  daysAreOrdered,
  filterCount,
  kinds,
  noFilters,
  periods,
  type RecordsChange,
  type RecordsSearch,
} from './records-search.ts';
import { TermPicker } from './TermPicker.tsx';
import { texts } from './texts.ts';

interface RecordFiltersProps {
  readonly search: RecordsSearch;
  readonly onChange: (change: RecordsChange) => void;
}

interface AllFiltersProps extends RecordFiltersProps {
  /** Who wrote the records that the page shows. */
  readonly authors: readonly Author[];
}

const all = 'all';

/** Narrows the list; who is responsible for one grade or class is not asked for it. */
export function RecordFilters({ search, onChange, authors }: AllFiltersProps) {
  const t = useTexts(texts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const [open, setOpen] = useState(false);
  const count = filterCount(search);
  const behind = search.q === undefined ? count : count - 1;
  return (
    <search
      className={`${classes.filters} no-print`}
      aria-label={t('filters')}
      {...(open && { 'data-open': '' })}
    >
      <SearchField
        className={classes.searchField}
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
        {behind === 0 ? t('filters') : t('filtersCount', { count: behind })}
      </Button>
      {me.gradeId === null && (
        <GradePicker
          schoolDb={schoolDb}
          value={search.grade ?? null}
          onChange={(id) => onChange({ grade: id ?? undefined, class: undefined })}
          withAll
        />
      )}
      {me.classId === null && (
        <ClassPicker
          schoolDb={schoolDb}
          gradeId={search.grade ?? null}
          value={search.class ?? null}
          onChange={(id) => onChange({ class: id ?? undefined })}
          withAll
        />
      )}
      <Select
        aria-label={t('kind')}
        value={search.kind ?? all}
        onChange={(kind) => onChange({ kind: kinds.find((one) => one === kind) })}
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
      {count > 0 && (
        <Button
          className={classes.clear ?? ''}
          variant="subtle"
          color="gray"
          leftSection={<IconFilterOff aria-hidden size={16} />}
          onClick={() => onChange(noFilters)}
        >
          {t('clearFilters')}
        </Button>
      )}
    </search>
  );
}

function PeriodFilter({ search, onChange }: RecordFiltersProps) {
  const t = useTexts(texts);
  const own = search.from !== undefined || search.to !== undefined;
  const labels = { today: t('periodToday'), week: t('periodWeek'), month: t('periodMonth') };
  const choose = (value: string | null) => {
    if (value === 'own') {
      const now = new Date();
      onChange({ period: undefined, from: dayBefore(now, 30), to: dayBefore(now, 0) });
    } else {
      onChange({ period: periods.find((one) => one === value), from: undefined, to: undefined });
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
          ...periods.map((value) => ({ value, label: labels[value] })),
          { value: 'own', label: t('periodOwn') },
        ]}
        allowDeselect={false}
      />
      {own && (
        <>
          <TextInput
            type="date"
            aria-label={t('from')}
            title={t('from')}
            value={search.from ?? ''}
            onChange={(event) => onChange({ from: event.currentTarget.value || undefined })}
          />
          <TextInput
            type="date"
            aria-label={t('to')}
            title={t('to')}
            value={search.to ?? ''}
            onChange={(event) => onChange({ to: event.currentTarget.value || undefined })}
            error={!daysAreOrdered(search) && t('daysTurned')}
          />
        </>
      )}
    </>
  );
}
