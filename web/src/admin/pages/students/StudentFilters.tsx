import { Button, Select } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { SearchField } from '../../../components/SearchField.tsx';
import { ClassPicker, GradePicker } from '../../../components/StructurePickers.tsx';
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
      <SearchField
        className={classes.searchField}
        placeholder={t('searchPlaceholder')}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q: q === '' ? undefined : q })}
      />
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
