import type { Absence } from '@classledger/contract';
import { Anchor, Badge, Select } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useOperationList } from '../../../api/queries.ts';
import { readWholeList } from '../../../api/read-all.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { DayField, FilterBar, ListSummary } from '../../../components/list/FilterBar.tsx';
import { SaveTableMenu } from '../../../components/list/SaveTableMenu.tsx';
import { StudentName } from '../../../components/StudentName.tsx';
import { StudentNamesContext, useDistinctStudentNames } from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { usePageSearch } from '../../page/use-page-search.ts';
import { useSchool } from '../../school.tsx';
import { useRoster } from '../roster.ts';
import { absenceStates, isFiltered, unfiltered } from './attendance-search.ts';
import { texts } from './texts.ts';

const pageSize = 50;
const all = 'all';
const none: readonly Absence[] = [];
const colours = { absent: 'red', late: 'yellow', excused: 'gray' } as const;

export function PastDays({ classId }: { readonly classId: number }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { schoolDb, name } = useSchool();
  const roster = useRoster(schoolDb, classId);
  const { search, change, turnTo } = usePageSearch('/attendance');
  const { page = 1, student: userId, state, from: fromDay, to: toDay } = search;
  const query = { schoolDb, classId, userId, state, fromDay, toDay };
  const list = useOperationList('listAbsences', { query: { ...query, page, limit: pageSize } });
  const names = useDistinctStudentNames([...(roster.data ?? []), ...(list.data?.rows ?? none)]);
  const total = list.data?.total ?? 0;
  const students = (roster.data ?? []).map((student) => ({
    value: String(student.id),
    label: names.textOf(student),
  }));
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
      header: t('title'),
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
      <FilterBar onClear={isFiltered(search) && (() => change(unfiltered))}>
        <Select
          aria-label={t('student')}
          searchable
          value={String(userId ?? all)}
          onChange={(value) => change({ student: Number(value) || undefined })}
          data={[{ value: all, label: t('everyone') }, ...students]}
          allowDeselect={false}
        />
        <Select
          aria-label={t('title')}
          value={state ?? all}
          onChange={(value) => change({ state: absenceStates.find((one) => one === value) })}
          data={[
            { value: all, label: t('anyState') },
            ...absenceStates.map((one) => ({ value: one, label: t(one) })),
          ]}
          allowDeselect={false}
        />
        <DayField label={t('from')} value={fromDay} onChange={(from) => change({ from })} />
        <DayField label={t('to')} value={toDay} onChange={(to) => change({ to })} />
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
              const headings = ['day', 'student', 'username', 'class', 'title', 'columnBy'] as const;
              return { header: headings.map((heading) => t(heading)), rows, missing: found.missing };
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
        onPage={turnTo}
      />
    </StudentNamesContext>
  );
}
