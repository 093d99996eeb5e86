import type { Absence } from '@classledger/contract';
import { Badge } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { callList } from '../../../api/call.ts';
import { useOperationList } from '../../../api/queries.ts';
import { readAll } from '../../../api/read-all.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { DayField, FilterBar, FilterSelect, ListSummary } from '../../../components/list/FilterBar.tsx';
import { SaveTableMenu } from '../../../components/list/SaveTableMenu.tsx';
import { StudentName } from '../../../components/StudentName.tsx';
import { StudentNamesContext, useDistinctStudentNames } from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { type SavedColumn, tableOf } from '../../../spreadsheets/csv.ts';
import { StudentLink } from '../../PageLink.tsx';
import { usePageSearch } from '../../page/use-page-search.ts';
import { useSchool } from '../../school.tsx';
import { useRoster } from '../roster.ts';
import { absenceStates, isFiltered, unfiltered } from './attendance-search.ts';
import { texts } from './texts.ts';

const pageSize = 50;
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
  const names = useDistinctStudentNames([...(roster.data ?? []), ...(list.data?.rows ?? [])]);
  const total = list.data?.total ?? 0;
  const students = (roster.data ?? []).map((one) => ({ value: one.id, label: names.textOf(one) }));
  const columns: readonly Column<Absence>[] = [
    {
      header: t('day'),
      width: 130,
      cell: ({ day }) => <time dateTime={day}>{format.calendarDay(day)}</time>,
    },
    {
      header: t('student'),
      phone: 'title',
      cell: (absence) => (
        <StudentLink id={absence.userId} fw={600}>
          <StudentName of={absence} />
        </StudentLink>
      ),
    },
    {
      header: t('title'),
      cell: ({ state }) => (
        <Badge variant="light" color={colours[state]} autoContrast>
          {t(state)}
        </Badge>
      ),
    },
    { header: t('columnBy'), cell: ({ markedBy }) => markedBy?.name ?? t('unknown') },
  ];
  const savedColumns: readonly SavedColumn<Absence>[] = [
    [t('day'), ({ day }) => day],
    [t('student'), ({ actualName }) => actualName],
    [t('username'), ({ username }) => username],
    [t('class'), ({ className }) => className],
    [t('title'), (absence) => t(absence.state)],
    [t('columnBy'), ({ markedBy }) => markedBy?.name ?? ''],
  ];
  return (
    <StudentNamesContext value={names}>
      <FilterBar onClear={isFiltered(search) && (() => change(unfiltered))}>
        <FilterSelect
          label={t('student')}
          all={t('everyone')}
          options={students}
          value={userId}
          onChange={(student) => change({ student })}
          searchable
        />
        <FilterSelect
          label={t('title')}
          all={t('anyState')}
          options={absenceStates.map((one) => ({ value: one, label: t(one) }))}
          value={state}
          onChange={(chosen) => change({ state: chosen })}
        />
        <DayField label={t('from')} value={fromDay} onChange={(from) => change({ from })} />
        <DayField label={t('to')} value={toDay} onChange={(to) => change({ to })} />
        {total > 0 && (
          <SaveTableMenu
            name={`${name} ${t('fileName')}`}
            rowCount={total}
            build={async (options) => {
              const { signal } = options;
              const rows = await readAll(
                (paging) => callList('listAbsences', { query: { ...query, ...paging }, signal }),
                options,
              );
              return tableOf(savedColumns, rows);
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
