import type { Author } from '@classledger/contract';
import { Button } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useState } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { ClearFilters, DayField, FilterSelect } from '../../../components/list/FilterBar.tsx';
import { SearchField } from '../../../components/list/SearchField.tsx';
import { texts as listTexts } from '../../../components/list/texts.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { dayBefore, useSchoolTime } from '../../../school-time/school-time.ts';
import { useCategories } from '../../categories.tsx';
import { useDistinctClassName } from '../../distinct-class-name.ts';
import { useMayDo, useMe, useOnlyClassId } from '../../me.ts';
import { useAuthorText } from '../../notes/RecordParts.tsx';
import { RangePickers } from '../../RangePickers.tsx';
import { useSchool } from '../../school.tsx';
import type { FilterProps } from '../../search-parameters.ts';
import classes from './Records.module.css';
import {
  filterCount,
  isDayRangeOrdered,
  type RecordPeriod,
  type RecordsSearch,
  recordKinds,
  recordPeriods,
  unfiltered,
} from './records-search.ts';
import { texts } from './texts.ts';

interface RecordFiltersProps extends FilterProps<RecordsSearch> {
  readonly authors: readonly Author[];
}

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
      <FilterSelect
        label={t('kind')}
        all={t('kindAll')}
        options={recordKinds.map((value) => ({ value, label: t(value) }))}
        value={search.kind}
        onChange={(kind) => onChange({ kind })}
      />
      <CategoryFilter search={search} onChange={onChange} />
      <PeriodFilter search={search} onChange={onChange} />
      <AuthorFilter search={search} onChange={onChange} authors={authors} />
      <TermFilter search={search} onChange={onChange} />
      <FilterSelect
        label={t('state')}
        all={t('stateLive')}
        options={[{ value: 'revoked', label: t('stateRevoked') }]}
        value={search.state}
        onChange={(state) => onChange({ state })}
      />
      {count > 0 && <ClearFilters onClear={() => onChange(unfiltered)} />}
    </search>
  );
}

function CategoryFilter({ search, onChange }: FilterProps<RecordsSearch>) {
  const t = useTexts(texts);
  const categories = useCategories();
  if (categories.length === 0) return null;
  const items = (isRetired: boolean) =>
    categories
      .filter(({ retired }) => retired === isRetired)
      .map(({ id, name }) => ({ value: id, label: name }));
  const retired = items(true);
  return (
    <FilterSelect
      label={t('category')}
      all={t('categoryAll')}
      options={[...items(false), ...(retired.length > 0 ? [{ group: t('retired'), items: retired }] : [])]}
      value={search.category}
      onChange={(category) => onChange({ category })}
    />
  );
}

function PeriodFilter({ search, onChange }: FilterProps<RecordsSearch>) {
  const t = useTexts(texts);
  const { today } = useSchoolTime();
  const own = search.from !== undefined || search.to !== undefined;
  const choose = (value: RecordPeriod | 'own' | undefined) => {
    if (value === 'own') onChange({ period: undefined, from: dayBefore(today(), 30), to: today() });
    else onChange({ period: value, from: undefined, to: undefined });
  };
  return (
    <>
      <FilterSelect
        label={t('period')}
        all={t('periodAll')}
        options={([...recordPeriods, 'own'] as const).map((value) => ({
          value,
          label: t(`period_${value}`),
        }))}
        value={own ? 'own' : search.period}
        onChange={choose}
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
  const onlyClassId = useOnlyClassId();
  const distinctName = useDistinctClassName();
  const { schoolDb } = useSchool();
  const terms = useOperation('listTerms', { query: { schoolDb } });
  const shown = (terms.data ?? []).filter(
    ({ id, classId }) => search.class === undefined || classId === search.class || id === search.term,
  );
  const closed = shown.map((term) => ({
    value: term.id,
    label: onlyClassId === null ? t('termOption', { name: term.name, class: distinctName(term) }) : term.name,
  }));
  return (
    <FilterSelect
      label={t('term')}
      all={t('termCurrent')}
      options={closed.length > 0 ? [{ group: t('closedTerms'), items: closed }] : []}
      value={search.term}
      onChange={(term) => onChange({ term })}
      searchable
      loading={terms.isPending}
    />
  );
}

function AuthorFilter({ search: { by }, onChange, authors }: RecordFiltersProps) {
  const t = useTexts(texts);
  const me = useMe();
  const mayDo = useMayDo();
  const authorText = useAuthorText();
  const { schoolDb } = useSchool();
  const admins = useOperation(
    'listAdministrators',
    { query: { schoolDb } },
    { enabled: mayDo('readAdministrators') },
  );
  // Super administrators belong to no school, so a school's list does not contain them.
  const supers = useOperation(
    'listAdministrators',
    { query: { role: 'super_admin' } },
    { enabled: me.role === 'super_admin' },
  );
  const credentials = useOperation(
    'listCredentials',
    { query: { schoolDb } },
    { enabled: mayDo('manageCredentials') },
  );
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
    <FilterSelect
      label={t('author')}
      all={t('authorAll')}
      value={by}
      onChange={(author = '') => {
        setChosen({ author, name: people.get(author) ?? tokens.get(author) ?? chosen.name });
        onChange({ by: author || undefined });
      }}
      options={[
        // Adds an author from the URL who was deleted, or whose account the user may not see.
        ...(isKnown ? [] : [{ value: by, label: chosen.author === by ? chosen.name : authorText(null) }]),
        ...(people.size > 0 ? [{ group: t('administrators'), items: items(people) }] : []),
        ...(tokens.size > 0 ? [{ group: t('applications'), items: items(tokens) }] : []),
      ]}
      searchable
      loading={admins.isLoading || credentials.isLoading}
    />
  );
}
