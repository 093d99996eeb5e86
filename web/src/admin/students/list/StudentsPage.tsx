import type { ListedStudent } from '@classledger/contract';
import { Button, Select } from '@mantine/core';
import { IconPlus, IconPrinter, IconUpload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { memo, useCallback, useMemo, useState } from 'react';
import { hasStatus } from '../../../api/api-failure.ts';
import { call, type Page } from '../../../api/call.ts';
import { useOperationList } from '../../../api/queries.ts';
import { DataTable } from '../../../components/list/DataTable.tsx';
import { ListSummary } from '../../../components/list/ListSummary.tsx';
import { DeletedFilter, NoResults } from '../../../components/list/NoResults.tsx';
import { useRowDialog } from '../../../components/list/use-row-dialog.ts';
import { useSelection } from '../../../components/list/use-selection.ts';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { StudentNamesContext, useDistinctStudentNames } from '../../../components/student-names.ts';
import { texts as componentTexts } from '../../../components/texts.ts';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { usePageSearch } from '../../page/use-page-search.ts';
import { useSchool } from '../../school.tsx';
import { parseOneOf, type SearchChange } from '../../search-parameters.ts';
import { AddStudentDialog } from '../actions/AddStudentDialog.tsx';
import { StudentDialogs } from '../actions/StudentDialogs.tsx';
import { StudentMenu } from '../actions/StudentMenu.tsx';
import type { StudentAction } from '../actions/student-action.ts';
import { useEnableStudent } from '../actions/use-enable-student.ts';
import { NoStudents } from '../NoStudents.tsx';
import { texts } from '../texts.ts';
import { useGraduates } from '../use-graduates.ts';
import { BulkBar } from './bulk/BulkBar.tsx';
import { BulkDialogs } from './bulk/BulkDialogs.tsx';
import type { BulkKind } from './bulk/bulk-kinds.ts';
import { ExportStudents } from './ExportStudents.tsx';
import { PrintStudents } from './PrintStudents.tsx';
import { StudentFilters } from './StudentFilters.tsx';
import classes from './StudentsPage.module.css';
import { useStudentColumns } from './student-columns.tsx';
import {
  isFiltered,
  isSortedByName,
  pageSizes,
  type StudentsSearch,
  sortKeyOf,
  sortOf,
  studentsQuery,
  unfiltered,
} from './students-search.ts';

const none: readonly ListedStudent[] = [];

export function StudentsPage() {
  const t = useTexts(texts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const { search, change, turnTo } = usePageSearch('/students');
  const [adding, setAdding] = useState(false);
  const { open, ...dialog } = useRowDialog<StudentAction>();
  const [bulk, setBulk] = useState<BulkKind | null>(null);
  const page = search.page ?? 1;
  const pageSize = search.size ?? pageSizes[0];
  const query = studentsQuery(schoolDb, search);
  const list = useOperationList('listUsers', { query: { ...query, page, limit: pageSize } });
  const shown = useMemo(() => sortSinglePage(list.data, search), [list.data, search]);
  const names = useDistinctStudentNames(list.data?.rows ?? none);
  const { enable, enabling } = useEnableStudent(names);
  const isGraduate = useGraduates(list.data?.rows ?? none);
  const columns = useStudentColumns(isGraduate);
  const isOpen = useCallback((student: ListedStudent) => !isGraduate(student), [isGraduate]);
  const rowMenu = useCallback(
    (student: ListedStudent) => (
      <StudentMenu
        student={student}
        graduated={isGraduate(student)}
        busy={student.id === enabling}
        onAction={(kind) => open({ kind, student })}
        onEnable={() => enable(student.id)}
      />
    ),
    [enable, enabling, open, isGraduate],
  );
  const failed = useFailureNotice();
  const total = list.data?.total ?? 0;
  // Without students, there is nothing to search or export, so the page shows how to begin.
  const nobody = list.data !== undefined && total === 0 && !isFiltered(search);
  const add = useCallback(() => setAdding(true), []);
  const selection = useSelection<ListedStudent>({
    shown: list.data?.rows,
    total,
    query,
    // Reads all students in one request, so that the list is consistent.
    read: (signal) => call('listUsers', { query, signal }),
    onFailure: (error) => {
      setBulk(null);
      failed(error);
    },
  });
  const { selectAll, selectNone } = selection;
  const makeSlips = useCallback(() => {
    selectAll();
    setBulk('resetPasswords');
  }, [selectAll]);
  const narrow = useCallback(
    (changed: SearchChange<StudentsSearch>) => {
      selectNone();
      setBulk(null);
      change(changed);
    },
    [selectNone, change],
  );

  // The grade or class in the URL was deleted, or the administrator may not see it.
  const isFilterGone = isFiltered(search) && [403, 404].some((status) => hasStatus(list.error, status));

  return (
    <StudentNamesContext value={names}>
      <ListTop
        search={search}
        total={list.data ? total : null}
        pageSize={pageSize}
        nobody={nobody}
        onlyGraduates={total > 0 && list.data?.rows.every(isGraduate) === true}
        onNarrow={narrow}
        onChange={change}
        onAdd={add}
        onSlips={makeSlips}
        readingSlips={selection.selectingAll && bulk !== null}
      />
      {isFilterGone ? (
        <DeletedFilter onClear={() => narrow(unfiltered)} />
      ) : (
        <DataTable<ListedStudent>
          label={t('title')}
          columns={columns}
          query={{ ...list, data: shown }}
          rowKey={(student) => student.id}
          empty={
            isFiltered(search) ? (
              <NoResults onClear={() => change(unfiltered)} />
            ) : (
              <NoStudents hint={t('emptyHint')} onAdd={add} />
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
          actions={rowMenu}
          selected={selection.ids}
          onSelect={selection.select}
          selectable={isOpen}
          rowName={names.textOf}
        />
      )}
      {selection.count > 0 && (
        <BulkBar
          selected={selection.rows}
          count={selection.count}
          total={total}
          selectingAll={selection.selectingAll}
          onSelectAll={selection.selectAll}
          onClear={selectNone}
          onChoose={setBulk}
          mayMove={me.classId === null}
        />
      )}
      <AddStudentDialog opened={adding} onClose={() => setAdding(false)} classId={search.class ?? null} />
      {dialog.action && <StudentDialogs {...dialog.action} opened={dialog.opened} onClose={dialog.close} />}
      <BulkDialogs
        kind={selection.selectingAll ? null : bulk}
        students={selection.rows}
        onClose={(left) => {
          setBulk(null);
          selection.replace(left);
        }}
      />
    </StudentNamesContext>
  );
}

/** Sorts names by pronunciation if the whole list is on one page. The server, which cannot do so, sorts other lists. */
function sortSinglePage(
  data: Page<ListedStudent> | undefined,
  search: StudentsSearch,
): Page<ListedStudent> | undefined {
  if (data === undefined || data.rows.length < data.total) return data;
  return { ...data, rows: [...isSortedByName(data.rows, search)] };
}

interface TopProps {
  readonly search: StudentsSearch;
  readonly total: number | null;
  readonly pageSize: number;
  readonly nobody: boolean;
  readonly onlyGraduates: boolean;
  readonly onNarrow: (changed: SearchChange<StudentsSearch>) => void;
  readonly onChange: (changed: SearchChange<StudentsSearch>) => void;
  readonly onAdd: () => void;
  readonly onSlips: () => void;
  readonly readingSlips: boolean;
}

const ListTop = memo(function Top({
  search,
  total,
  pageSize,
  nobody,
  onlyGraduates,
  onNarrow,
  onChange,
  onAdd,
  onSlips,
  readingSlips,
}: TopProps) {
  const t = useTexts(texts);
  const c = useTexts(componentTexts);
  return (
    <>
      <PageHeader
        title={t('title')}
        actions={
          !nobody && <ListActions search={search} total={total ?? 0} mayAdd={!onlyGraduates} onAdd={onAdd} />
        }
      />
      {!nobody && (
        <>
          <StudentFilters search={search} onChange={onNarrow} />
          <ListSummary count={total === null ? '' : t('matching', { count: total })}>
            {onlyGraduates && c('graduates')}
            {search.password && total !== null && total > 0 && !onlyGraduates && (
              <Button
                className="no-print"
                leftSection={<IconPrinter aria-hidden size={16} />}
                onClick={onSlips}
                loading={readingSlips}
              >
                {t('newSlips', { count: total })}
              </Button>
            )}
            {total !== null && total > pageSizes[0] && (
              <Select
                visibleFrom="sm"
                className={`${classes.size} no-print`}
                size="xs"
                aria-label={t('rowsPerPage')}
                value={String(pageSize)}
                onChange={(size) => onChange({ size: parseOneOf(pageSizes, Number(size)) })}
                data={pageSizes.map((size) => ({ value: String(size), label: t('rowsOption', { size }) }))}
                allowDeselect={false}
              />
            )}
          </ListSummary>
        </>
      )}
    </>
  );
});

interface ListActionsProps {
  readonly search: StudentsSearch;
  readonly total: number;
  readonly mayAdd: boolean;
  readonly onAdd: () => void;
}

function ListActions({ search, total, mayAdd, onAdd }: ListActionsProps) {
  const t = useTexts(texts);
  return (
    <>
      {total > 0 && (
        <>
          <PrintStudents search={search} total={total} />
          <ExportStudents search={search} total={total} />
        </>
      )}
      {mayAdd && (
        <>
          <Button
            component={Link}
            to="/students/import"
            variant="default"
            leftSection={<IconUpload aria-hidden size={16} />}
          >
            <span className="words-on-wide">{t('importList')}</span>
          </Button>
          <Button leftSection={<IconPlus aria-hidden size={16} />} onClick={onAdd}>
            {t('addStudent')}
          </Button>
        </>
      )}
    </>
  );
}
