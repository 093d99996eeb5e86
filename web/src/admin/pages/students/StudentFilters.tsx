import { Button, CloseButton, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconFilterOff, IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { ClassPicker, GradePicker } from '../../../components/StructurePickers.tsx';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import classes from './StudentsPage.module.css';
import { isFiltered, type StudentsSearch } from './students-search.ts';
import { texts } from './texts.ts';

interface StudentFiltersProps {
  readonly search: StudentsSearch;
  readonly onChange: (change: { [K in keyof StudentsSearch]?: StudentsSearch[K] | undefined }) => void;
}

/** Narrows the list; who is responsible for one grade or class is not asked for it. */
export function StudentFilters({ search, onChange }: StudentFiltersProps) {
  const t = useTexts(texts);
  const me = useMe();
  const { schoolDb } = useSchool();
  return (
    <search className={classes.filters} aria-label={t('filters')}>
      <SearchField value={search.q ?? ''} onChange={(q) => onChange({ q: q === '' ? undefined : q })} />
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
        aria-label={t('state')}
        value={search.state ?? 'all'}
        onChange={(state) =>
          onChange({ state: state === 'active' || state === 'disabled' ? state : undefined })
        }
        data={[
          { value: 'all', label: t('stateAll') },
          { value: 'active', label: t('stateActive') },
          { value: 'disabled', label: t('stateDisabled') },
        ]}
        allowDeselect={false}
      />
      {isFiltered(search) && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconFilterOff aria-hidden size={16} />}
          onClick={() => onChange({ q: undefined, grade: undefined, class: undefined, state: undefined })}
        >
          {t('clearFilters')}
        </Button>
      )}
    </search>
  );
}

/** Keeps its own text while it is typed, so that the list is asked for only when the typing pauses. */
function SearchField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const t = useTexts(texts);
  const c = useTexts(commonTexts);
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  const tell = useDebouncedCallback((text: string) => {
    told.current = text;
    onChange(text);
  }, 250);
  // The way back in the browser changes the address from outside.
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setTyped(value);
  }, [value]);
  const type = (text: string) => {
    setTyped(text);
    tell(text.trim());
  };
  return (
    <TextInput
      type="search"
      className={classes.searchField ?? ''}
      aria-label={c('search')}
      placeholder={t('searchPlaceholder')}
      leftSection={<IconSearch aria-hidden size={16} />}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      maxLength={100}
      rightSection={typed !== '' && <CloseButton aria-label={c('clear')} onClick={() => type('')} />}
    />
  );
}
