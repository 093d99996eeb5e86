import type { Author } from '@classledger/contract';
import { Button, Select } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useState } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { ClearFilters, DayField } from '../../../components/list/FilterBar.tsx';
import { SearchField } from '../../../components/list/SearchField.tsx';
import { texts as listTexts } from '../../../components/list/texts.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { dayBefore, useSchoolTime } from '../../../school-time/school-time.ts';
import { useDistinctClassName } from '../../distinct-class-name.ts';
import { useMe } from '../../me.ts';
import { useAuthorText } from '../../notes/RecordParts.tsx';
import { RangePickers } from '../../RangePickers.tsx';
import { useSchool } from '../../school.tsx';
import { type FilterProps, parseOneOf } from '../../search-parameters.ts';
import classes from './Records.module.css';
import {
  filterCount,
  isDayRangeOrdered,
  type RecordsSearch,
  recordKinds,
  recordPeriods,
  unfiltered,
} from './records-search.ts';
import { texts } from './texts.ts';

interface RecordFiltersProps extends FilterProps<RecordsSearch> {
  readonly authors: readonly Author[];
}

/** The value of a choice that filters nothing. */
const all = 'all';

export function RecordFilters({ search, onChange, authors }: RecordFiltersProps) {
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
        hiddenFrom="sm"
        fullWidth
        px={8}
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
      <AuthorFilter search={search} onChange={onChange} authors={authors} />
      <TermFilter search={search} onChange={onChange} />
      <Select
        aria-label={t('state')}
        value={search.state ?? all}
        onChange={(state) => onChange({ state: state === 'revoked' ? state : undefined })}
        data={[
          { value: all, label: t('stateLive') },
          { value: 'revoked', label: t('stateRevoked') },
        ]}
        allowDeselect={false}
      />
      {count > 0 && <ClearFilters onClear={() => onChange(unfiltered)} />}
    </search>
  );
}

function PeriodFilter({ search, onChange }: FilterProps<RecordsSearch>) {
  const t = useTexts(texts);
  const { today } = useSchoolTime();
  const own = search.from !== undefined || search.to !== undefined;
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
          ...recordPeriods.map((value) => ({ value, label: t(`period_${value}`) })),
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

function TermFilter({ search, onChange }: FilterProps<RecordsSearch>) {
  const t = useTexts(texts);
  const me = useMe();
  const distinctName = useDistinctClassName();
  const { schoolDb } = useSchool();
  const terms = useOperation('listTerms', { query: { schoolDb } });
  const shown = (terms.data ?? []).filter(
    ({ id, classId }) => search.class === undefined || classId === search.class || id === search.term,
  );
  const closed = shown.map((term) => ({
    value: String(term.id),
    label: me.classId === null ? t('termOption', { name: term.name, class: distinctName(term) }) : term.name,
  }));
  return (
    <Select
      aria-label={t('term')}
      value={String(search.term ?? all)}
      onChange={(term) => onChange({ term: term === null || term === all ? undefined : Number(term) })}
      data={[
        { value: all, label: t('termCurrent') },
        ...(closed.length > 0 ? [{ group: t('closedTerms'), items: closed }] : []),
      ]}
      searchable
      allowDeselect={false}
      loading={terms.isPending}
    />
  );
}

function AuthorFilter({ search: { by }, onChange, authors }: RecordFiltersProps) {
  const t = useTexts(texts);
  const me = useMe();
  const authorText = useAuthorText();
  const { schoolDb } = useSchool();
  const admins = useOperation('listAdministrators', { query: { schoolDb } });
  // Super administrators belong to no school, so a school's list does not contain them.
  const supers = useOperation(
    'listAdministrators',
    { query: { role: 'super_admin' } },
    { enabled: me.role === 'super_admin' },
  );
  const credentials = useOperation('listCredentials', { query: { schoolDb } });
  const staff = [...(admins.data ?? []), ...(supers.data ?? [])];
  const people = new Map(staff.map(({ id, username }) => [`a${id}`, username]));
  const tokens = new Map(credentials.data?.map(({ id, name }) => [`t${id}`, name]));
  // Adds authors of shown records whom the lists lack, because the user may not see their accounts.
  for (const { type, id, name } of authors) {
    const [mark, names] = type === 'admin' ? (['a', people] as const) : (['t', tokens] as const);
    if (name !== null && !names.has(`${mark}${id}`)) names.set(`${mark}${id}`, name);
  }
  // Remembers the chosen author's name, because the list may then show other records.
  const [chosen, setChosen] = useState({ author: '', name: '' });
  const isKnown = by === undefined || people.has(by) || tokens.has(by);
  const items = (names: ReadonlyMap<string, string>) =>
    [...names].map(([author, label]) => ({ value: author, label }));
  return (
    <Select
      aria-label={t('author')}
      value={by ?? all}
      onChange={(author, option) => {
        if (option) setChosen({ author: option.value, name: option.label });
        onChange({ by: author === null || author === all ? undefined : author });
      }}
      data={[
        { value: all, label: t('authorAll') },
        // Adds an author from the URL who was deleted, or whose account the user may not see.
        ...(isKnown ? [] : [{ value: by, label: chosen.author === by ? chosen.name : authorText(null) }]),
        ...(people.size > 0 ? [{ group: t('administrators'), items: items(people) }] : []),
        ...(tokens.size > 0 ? [{ group: t('applications'), items: items(tokens) }] : []),
      ]}
      searchable
      allowDeselect={false}
      loading={admins.isPending || credentials.isPending}
    />
  );
}
