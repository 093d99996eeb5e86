import type { ListedStudent } from '@classledger/contract';
import { Badge, Button, Group, Select, Text } from '@mantine/core';
import { IconPrinter, IconUpload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { hasStatus } from '../../../api/api-failure.ts';
import { call } from '../../../api/call.ts';
import { useOperationList } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { useGraduatedAmong } from '../../../components/graduated-class.ts';
import { Hint } from '../../../components/Hint.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { FilterBar, FilterSelect, ListSummary } from '../../../components/list/FilterBar.tsx';
import { DeletedFilter, NoResults } from '../../../components/list/NoResults.tsx';
import { SearchField } from '../../../components/list/SearchField.tsx';
import { texts as componentTexts } from '../../../components/list/texts.ts';
import { useSelection } from '../../../components/list/use-selection.ts';
import { ScoreText, TotalText } from '../../../components/ScoreText.tsx';
import {
  StudentNamesContext,
  useDistinctStudentNames,
  useShownName,
} from '../../../components/student-names.ts';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useIsPhone } from '../../../components/use-is-phone.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useManages, useMayDo, useOnlyClassId } from '../../me.ts';
import { StudentLink } from '../../PageLink.tsx';
import type { RenderDialog } from '../../page/dialogs.tsx';
import { Page } from '../../page/Page.tsx';
import { usePageSearch } from '../../page/use-page-search.ts';
import { RangePickers } from '../../RangePickers.tsx';
import { useIsManagedClass, useSchool } from '../../school.tsx';
import type { FilterProps, SearchChange } from '../../search-parameters.ts';
import { StudentActions } from '../actions/StudentActions.tsx';
import { AddStudentForm } from '../actions/StudentForm.tsx';
import { NoStudents } from '../NoStudents.tsx';
import { classLabelOf } from '../student-cells.ts';
import {
  isFiltered,
  pageSizes,
  passwordKeys,
  type StudentsSearch,
  sortIfByName,
  sortKeyOf,
  sortOf,
  studentStates,
  studentsQuery,
  unfiltered,
} from '../students-search.ts';
import { texts } from '../texts.ts';
import { BulkActions } from './bulk/BulkActions.tsx';
import type { BulkKind } from './bulk/bulk-run.ts';
import { StudentsOutput } from './StudentsOutput.tsx';

const none: ListedStudent[] = [];

export default function StudentsPage() {
  const t = useTexts(texts);
  const c = useTexts(componentTexts);
  const { schoolDb } = useSchool();
  const { search, change, turnTo } = usePageSearch('/students');
  const [bulk, setBulk] = useState<BulkKind | null>(null);
  const page = search.page ?? 1;
  const pageSize = search.size ?? pageSizes[0];
  const query = studentsQuery(schoolDb, search);
  const list = useOperationList('listUsers', { query: { ...query, page, limit: pageSize } });
  const { rows = none, total = 0 } = list.data ?? {};
  // Sorts names by pronunciation if the whole list is on one page. The server, which cannot do so, sorts other lists.
  const shown = useMemo(
    () => ({ rows: rows.length < total ? rows : sortIfByName(rows, search), total }),
    [rows, total, search],
  );
  const names = useDistinctStudentNames(rows);
  const classIds = rows.map(({ classId }) => classId);
  const isGraduated = useGraduatedAmong(schoolDb, classIds);
  const mayManage = useMayDo()('manageStudents');
  const manages = useManages();
  const columns = useColumns(isGraduated);
  const isOpen = useCallback(({ classId }: ListedStudent) => !isGraduated(classId), [isGraduated]);
  const isManaged = useCallback(
    ({ classId, gradeId }: ListedStudent) => manages({ id: classId, gradeId }),
    [manages],
  );
  const isSelectable = useCallback(
    (student: ListedStudent) => isOpen(student) && isManaged(student),
    [isOpen, isManaged],
  );
  const rowMenu = useCallback(
    (student: ListedStudent) => <StudentActions student={student} graduated={!isOpen(student)} />,
    [isOpen],
  );
  const showFailure = useFailureNotice();
  const selection = useSelection<ListedStudent>({
    shown: list.data?.rows,
    total,
    query,
    // Reads all students in one request, so that the list is consistent.
    read: (signal) => call('listUsers', { query, signal }),
    selectable: isSelectable,
    onFailure: (error) => {
      setBulk(null);
      showFailure(error);
    },
  });
  const filter = (changed: SearchChange<StudentsSearch>) => {
    selection.selectNone();
    setBulk(null);
    change(changed);
  };
  // Without students, there is nothing to search or export, so the page shows how to begin.
  const isEmpty = list.data !== undefined && total === 0 && !isFiltered(search);
  const onlyGraduates = total > 0 && !rows.some(isOpen);
  // The grade or class in the URL was deleted, or the administrator may not see it.
  const isFilterGone = isFiltered(search) && hasStatus(list.error, 403, 404);
  const add: RenderDialog = (dialog) => <AddStudentForm {...dialog} classId={search.class ?? null} />;
  const isFilterManaged = useIsManagedClass(search.class ?? 0);
  const mayAdd = mayManage && (search.class === undefined || isFilterManaged) && !isEmpty && !onlyGraduates;
  return (
    <StudentNamesContext value={names}>
      <Page
        title={t('title')}
        headActions={
          <>
            <StudentsOutput search={search} total={total} />
            {mayAdd && (
              <Button
                component={Link}
                to="/students/import"
                variant="default"
                leftSection={<IconUpload aria-hidden size={16} />}
              >
                <span className="words-on-wide">{t('importList')}</span>
              </Button>
            )}
          </>
        }
        create={mayAdd ? { label: t('addStudent'), open: add } : undefined}
      >
        {!isEmpty && (
          <>
            <Filters search={search} onChange={filter} />
            <ListSummary count={list.data ? t('matching', { count: total }) : ''}>
              {onlyGraduates && c('graduates')}
              {search.password && total > 0 && !onlyGraduates && rows.every(isManaged) && (
                <Button
                  className="no-print"
                  leftSection={<IconPrinter aria-hidden size={16} />}
                  onClick={() => {
                    selection.selectAll();
                    setBulk('resetPasswords');
                  }}
                  loading={selection.selectingAll && bulk !== null}
                >
                  {t('newSlips', { count: total })}
                </Button>
              )}
              {total > pageSizes[0] && (
                <Select
                  visibleFrom="sm"
                  className="no-print"
                  w={132}
                  size="xs"
                  aria-label={t('rowsPerPage')}
                  value={pageSize}
                  onChange={(size) => change({ size: size ?? undefined })}
                  data={pageSizes.map((size) => ({ value: size, label: t('rowsOption', { size }) }))}
                  allowDeselect={false}
                />
              )}
            </ListSummary>
          </>
        )}
        {isFilterGone ? (
          <DeletedFilter onClear={() => filter(unfiltered)} />
        ) : (
          <DataTable<ListedStudent>
            label={t('title')}
            columns={columns}
            query={{ ...list, data: list.data && shown }}
            rowKey={(student) => student.id}
            empty={
              isFiltered(search) ? (
                <NoResults onClear={() => change(unfiltered)} />
              ) : (
                <NoStudents hint={t('emptyHint')} add={add} />
              )
            }
            sort={sortOf(search)}
            onSort={({ key, descending }) => {
              // A new order cancels the reading of all students, so the dialog that waits for them closes.
              if (selection.selectingAll) setBulk(null);
              change({ sort: sortKeyOf(key), desc: descending || undefined });
            }}
            page={page}
            pageSize={pageSize}
            onPage={turnTo}
            printedWhole
            rowName={names.textOf}
            {...(mayManage && {
              actions: rowMenu,
              selected: selection.ids,
              onSelect: selection.select,
              selectable: isSelectable,
            })}
          />
        )}
        {mayManage && <BulkActions selection={selection} kind={bulk} onKind={setBulk} />}
      </Page>
    </StudentNamesContext>
  );
}

function Filters({ search, onChange }: FilterProps<StudentsSearch>) {
  const t = useTexts(texts);
  const mayManage = useMayDo()('manageStudents');
  return (
    <FilterBar onClear={isFiltered(search) && (() => onChange(unfiltered))}>
      <SearchField
        placeholder={t('searchPlaceholder')}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q: q || undefined })}
      />
      <RangePickers value={search} onChange={onChange} />
      <FilterSelect
        label={t('state')}
        all={t('allStates')}
        options={studentStates.map((value) => ({ value, label: t(value) }))}
        value={search.state}
        onChange={(state) => onChange({ state })}
      />
      {mayManage && (
        <FilterSelect
          label={t('password')}
          all={t('password_all')}
          options={passwordKeys.map((value) => ({ value, label: t(`password_${value}`) }))}
          value={search.password}
          // Shows only active students, because others cannot sign in with a new password.
          onChange={(password) => onChange(password ? { password, state: 'active' } : { password })}
        />
      )}
    </FilterBar>
  );
}

function useColumns(isGraduated: (classId: number) => boolean): readonly Column<ListedStudent>[] {
  const t = useTexts(texts);
  const format = useFormat();
  const isOfOneClass = useOnlyClassId() !== null;
  const mayManage = useMayDo()('manageStudents');
  const shownName = useShownName();
  const onPhone = useIsPhone();
  return useMemo(() => {
    const classColumn: Column<ListedStudent> = {
      header: t('class'),
      phone: 'hidden',
      cell: (student) => (
        <Text span inherit truncate="end" display="block" maw={180}>
          {classLabelOf(student)}
        </Text>
      ),
    };
    return [
      {
        key: 'actualName',
        header: t('columnName'),
        phone: 'title',
        cell: (student) => (
          <Group
            component="span"
            display="inline-flex"
            align="baseline"
            gap="2px 8px"
            style={{ overflowWrap: 'anywhere' }}
          >
            <StudentLink id={student.id} fw={600} {...(onPhone && { flex: '0 1 100%' })}>
              {shownName(student)}
            </StudentLink>
            {/* On a phone's card, these have no labels, so that many cards fit on the screen. */}
            {onPhone && <Hint span>{student.username}</Hint>}
            {onPhone && !isOfOneClass && <Hint span>{classLabelOf(student)}</Hint>}
            {student.disabled && (
              <Badge color="gray" variant="light" size="sm">
                {t(
                  student.erased
                    ? 'stateErased'
                    : isGraduated(student.classId)
                      ? 'stateGraduated'
                      : 'disabled',
                )}
              </Badge>
            )}
            {mayManage && !student.disabled && student.passwordState !== 'own' && (
              <Badge
                color={student.passwordState === 'shared' ? 'minus' : 'gray'}
                variant="light"
                size="sm"
                tt="none"
              >
                {t(`password_${student.passwordState}`)}
              </Badge>
            )}
          </Group>
        ),
      },
      {
        key: 'username',
        header: t('username'),
        phone: 'hidden',
        cell: (student) => (
          <>
            {student.username}
            <Numbers student={student} />
          </>
        ),
      },
      ...(isOfOneClass ? [] : [classColumn]),
      {
        key: 'totalScore',
        header: t('points'),
        align: 'end',
        phone: 'aside',
        cell: (student) => <TotalText value={student.totalScore} />,
      },
      scoreColumn('addScore', t('plus')),
      scoreColumn('deductScore', t('minus')),
      {
        key: 'scoreCount',
        header: t('columnRecords'),
        align: 'end',
        phone: 'hidden',
        cell: (student) => format.number(student.scoreCount),
      },
      {
        key: 'createdAt',
        header: t('columnCreated'),
        align: 'end',
        phone: 'hidden',
        cell: (student) => <DateText value={student.createdAt} as="day" />,
      },
    ];
  }, [t, format, isOfOneClass, mayManage, shownName, isGraduated, onPhone]);
}

const scoreColumn = (key: 'addScore' | 'deductScore', header: string): Column<ListedStudent> => ({
  header,
  align: 'end',
  phone: 'hidden',
  cell: (student) => <ScoreText value={student[key]} />,
});

/** Shows external id and card number below the username, because columns for them would make names too narrow. */
function Numbers({ student: { externalId, cardNumber } }: { readonly student: ListedStudent }) {
  const t = useTexts(texts);
  if (externalId === null && cardNumber === null) return null;
  return (
    <Group gap="0 8px" wrap="nowrap" fz="xs" c="dimmed">
      {externalId !== null && <span title={t('externalId')}>{externalId}</span>}
      {cardNumber !== null && <span title={t('cardNumber')}>{cardNumber}</span>}
    </Group>
  );
}
