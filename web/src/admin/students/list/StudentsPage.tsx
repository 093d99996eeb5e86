import type { ListedStudent } from '@classledger/contract';
import { Button, Select } from '@mantine/core';
import { IconPlus, IconUpload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { hasStatus } from '../../../api/api-failure.ts';
import { useOperationList } from '../../../api/queries.ts';
import { readWholeList } from '../../../api/read-all.ts';
import { DataTable } from '../../../components/list/DataTable.tsx';
import { ListLine } from '../../../components/list/ListLine.tsx';
import { NoMatch } from '../../../components/list/NoMatch.tsx';
import { useRowDialog } from '../../../components/list/use-row-dialog.ts';
import { useSelectAll } from '../../../components/list/use-select-all.ts';
import { useSelection } from '../../../components/list/use-selection.ts';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { StudentNamesContext, useNamesAmong } from '../../../components/student-names.ts';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { oneOf } from '../../address.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { useListAddress } from '../../use-list-address.ts';
import { AddStudentDialog } from '../actions/AddStudentDialog.tsx';
import { StudentDialogs } from '../actions/StudentDialogs.tsx';
import { StudentMenu } from '../actions/StudentMenu.tsx';
import type { StudentAction } from '../actions/student-action.ts';
import { useEnable } from '../actions/use-enable.ts';
import { NoStudents } from '../NoStudents.tsx';
import { texts } from '../texts.ts';
import { BulkBar } from './bulk/BulkBar.tsx';
import { BulkDialogs } from './bulk/BulkDialogs.tsx';
import type { BulkKind } from './bulk/bulk-kinds.ts';
import { ExportStudents } from './ExportStudents.tsx';
import { StudentFilters } from './StudentFilters.tsx';
import classes from './StudentsPage.module.css';
import { useStudentColumns } from './student-columns.tsx';
import {
  isFiltered,
  listQuery,
  pageSizes,
  readStudentsSearch,
  type StudentsSearch,
  sortKeyOf,
  sortOf,
  unfiltered,
} from './students-search.ts';

/** All students in the caller's range: to find, change, import and export them. */
export function StudentsPage() {
  const t = useTexts(texts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const { search, change, turnTo } = useListAddress('/students', readStudentsSearch);
  const [adding, setAdding] = useState(false);
  const { open, ...dialog } = useRowDialog<StudentAction>();
  const [bulk, setBulk] = useState<BulkKind | null>(null);
  const page = search.page ?? 1;
  const pageSize = search.size ?? pageSizes[0];
  const query = listQuery(schoolDb, search);
  const list = useOperationList('listUsers', { query: { ...query, page, limit: pageSize } });
  const names = useNamesAmong(list.data?.rows ?? []);
  const { enable, enabling } = useEnable(names);
  const columns = useStudentColumns();
  const rowMenu = useCallback(
    (student: ListedStudent) => (
      <StudentMenu
        student={student}
        busy={student.id === enabling}
        onAction={(kind) => open({ kind, student })}
        onEnable={() => enable(student.id)}
      />
    ),
    [enable, enabling, open],
  );
  const failed = useFailureNotice();
  const total = list.data?.total ?? 0;
  // Where there is no one yet, nothing can be found or exported, and how to begin is said in the middle of the page.
  const nobody = list.data !== undefined && total === 0 && !isFiltered(search);
  const add = () => setAdding(true);
  const selection = useSelection(list.data?.rows);

  const goneFilter = hasStatus(list.error, 404) || hasStatus(list.error, 403);
  useEffect(() => {
    // The grade or class that an old address names is not there any more, or in another school.
    if (goneFilter && (search.grade || search.class)) change({ grade: undefined, class: undefined });
  }, [goneFilter, search.grade, search.class, change]);

  const { selectingAll, selectAll, selectNone } = useSelectAll({
    query,
    read: (options) => readWholeList('listUsers', query, options),
    replace: selection.replace,
    onFailure: failed,
  });
  return (
    <StudentNamesContext value={names}>
      <PageHeader
        title={t('title')}
        actions={!nobody && <ListActions search={search} total={total} onAdd={add} />}
      />
      {!nobody && (
        <>
          <StudentFilters
            search={search}
            onChange={(changed) => {
              selectNone();
              change(changed);
            }}
          />
          <ListLine count={list.data ? t('matching', { count: total }) : ''}>
            {total > pageSizes[0] && (
              <Select
                visibleFrom="sm"
                className={classes.size ?? ''}
                size="xs"
                aria-label={t('rowsPerPage')}
                value={String(pageSize)}
                onChange={(size) => change({ size: oneOf(pageSizes, Number(size)) })}
                data={pageSizes.map((size) => ({ value: String(size), label: t('rowsOption', { size }) }))}
                allowDeselect={false}
              />
            )}
          </ListLine>
        </>
      )}
      <DataTable<ListedStudent>
        label={t('title')}
        columns={columns}
        query={list}
        rowKey={(student) => student.id}
        empty={
          isFiltered(search) ? (
            <NoMatch onClear={() => change(unfiltered)} />
          ) : (
            <NoStudents hint={t('emptyHint')} onAdd={add} />
          )
        }
        sort={sortOf(search)}
        onSort={({ key, descending }) => change({ sort: sortKeyOf(key), desc: descending || undefined })}
        page={page}
        pageSize={pageSize}
        onPage={turnTo}
        actions={rowMenu}
        selected={selection.ids}
        onSelect={selection.select}
        rowName={names.textOf}
      />
      {selection.rows.length > 0 && (
        <BulkBar
          selected={selection.rows}
          total={total}
          selectingAll={selectingAll}
          onSelectAll={() => void selectAll()}
          onClear={selectNone}
          onChoose={setBulk}
          mayMove={me.classId === null}
        />
      )}
      <AddStudentDialog opened={adding} onClose={() => setAdding(false)} classId={search.class ?? null} />
      {dialog.action && <StudentDialogs {...dialog.action} opened={dialog.opened} onClose={dialog.close} />}
      <BulkDialogs
        kind={bulk}
        students={selection.rows}
        onClose={(left) => {
          setBulk(null);
          selection.replace(left);
        }}
      />
    </StudentNamesContext>
  );
}

interface ListActionsProps {
  readonly search: StudentsSearch;
  readonly total: number;
  readonly onAdd: () => void;
}

function ListActions({ search, total, onAdd }: ListActionsProps) {
  const t = useTexts(texts);
  return (
    <>
      {total > 0 && <ExportStudents search={search} total={total} />}
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
  );
}
