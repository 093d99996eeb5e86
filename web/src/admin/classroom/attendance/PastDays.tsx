import type { Absence } from '@classledger/contract';
import { Anchor, Badge, Select } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useOperationList } from '../../../api/queries.ts';
import { readWholeList } from '../../../api/read-all.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import { DayField } from '../../../components/list/DayField.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { FilterBar } from '../../../components/list/FilterBar.tsx';
import { ListSummary } from '../../../components/list/ListSummary.tsx';
import { SaveTableMenu } from '../../../components/list/SaveTableMenu.tsx';
import { StudentName } from '../../../components/StudentName.tsx';
import { StudentNamesContext, useDistinctStudentNames } from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import type { SearchChange } from '../../search-parameters.ts';
import { useRoster } from '../roster.ts';
import { type AttendanceSearch, isFiltered, unfiltered } from './attendance-search.ts';
import { texts } from './texts.ts';

const pageSize = 50;
const all = 'all';
const none: readonly Absence[] = [];
const colours = { absent: 'red', late: 'yellow', excused: 'gray' } as const;

interface PastDaysProps {
  readonly classId: number;
  readonly search: AttendanceSearch;
  readonly onChange: (change: SearchChange<AttendanceSearch>) => void;
  readonly onPage: (page: number) => void;
}

export function PastDays({ classId, search, onChange, onPage }: PastDaysProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const { schoolDb, name } = useSchool();
  const roster = useRoster(schoolDb, classId);
  const page = search.page ?? 1;
  const query = {
    schoolDb,
    classId,
    userId: search.student,
    state: search.state,
    fromDay: search.from,
    toDay: search.to,
  };
  const list = useOperationList('listAbsences', { query: { ...query, page, limit: pageSize } });
  const names = useDistinctStudentNames([...(roster.data ?? []), ...(list.data?.rows ?? none)]);
  const total = list.data?.total ?? 0;
  const columns: readonly Column<Absence>[] = [
    {
      key: 'day',
      header: t('day'),
      width: 130,
      cell: ({ day }) => <time dateTime={day}>{format.calendarDay(day)}</time>,
    },
    {
      key: 'student',
      header: t('student'),
      phone: 'title',
      cell: (absence) => (
        <Anchor
          renderRoot={(props) => (
            <Link to="/students/$studentId" params={{ studentId: String(absence.userId) }} {...props} />
          )}
          c="inherit"
          fz="inherit"
          fw={600}
        >
          <StudentName of={absence} />
        </Anchor>
      ),
    },
    {
      key: 'state',
      header: t('columnState'),
      cell: ({ state }) => (
        <Badge variant="light" color={colours[state]} autoContrast>
          {t(state)}
        </Badge>
      ),
    },
    { key: 'markedBy', header: t('columnBy'), cell: ({ markedBy }) => markedBy?.name ?? t('unknown') },
  ];
  return (
    <StudentNamesContext value={names}>
      <FilterBar onClear={isFiltered(search) && (() => onChange(unfiltered))}>
        <Select
          aria-label={t('student')}
          searchable
          value={search.student === undefined ? all : String(search.student)}
          onChange={(value) =>
            onChange({ student: value === null || value === all ? undefined : Number(value) })
          }
          data={[
            { value: all, label: t('everyone') },
            ...(roster.data ?? []).map((student) => ({
              value: String(student.id),
              label: names.textOf(student),
            })),
          ]}
          allowDeselect={false}
        />
        <Select
          aria-label={t('columnState')}
          value={search.state ?? all}
          onChange={(value) =>
            onChange({ state: value === all || value === null ? undefined : (value as Absence['state']) })
          }
          data={[
            { value: all, label: t('anyState') },
            { value: 'absent', label: t('absent') },
            { value: 'late', label: t('late') },
            { value: 'excused', label: t('excused') },
          ]}
          allowDeselect={false}
        />
        <DayField label={t('from')} value={search.from} onChange={(from) => onChange({ from })} />
        <DayField label={t('to')} value={search.to} onChange={(to) => onChange({ to })} />
        {total > 0 && (
          <SaveTableMenu
            name={`${name} ${t('fileName')}`}
            rowCount={total}
            build={async (options) => {
              const found = await readWholeList('listAbsences', query, options);
              const rows = found.rows.map((absence) => [
                absence.day,
                absence.actualName,
                absence.username,
                absence.className,
                t(absence.state),
                absence.markedBy?.name ?? '',
              ]);
              const header = [
                t('day'),
                t('student'),
                t('username'),
                t('class'),
                t('columnState'),
                t('columnBy'),
              ];
              return { header, rows, missing: found.missing };
            }}
          />
        )}
      </FilterBar>
      <ListSummary count={list.data ? t('matching', { count: total }) : ''} />
      <DataTable<Absence>
        label={t('past')}
        columns={columns}
        query={list}
        rowKey={({ id }) => id}
        empty={<EmptyState icon={IconUserCheck} title={t('noneTitle')} hint={t('noneHint')} />}
        page={page}
        pageSize={pageSize}
        onPage={onPage}
      />
    </StudentNamesContext>
  );
}
