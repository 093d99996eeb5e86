import type { Student } from '@classledger/contract';
import { Button, Group, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus, IconSearchOff, IconUpload, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { hasStatus } from '../../../api/api-failure.ts';
import { useOperation, useOperationList } from '../../../api/queries.ts';
import { DataTable } from '../../../components/DataTable.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { useFailureText } from '../../../components/failure-text.ts';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useSelectAll } from '../../../components/use-select-all.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMayDo, useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { AddStudentDialog } from './actions/AddStudentDialog.tsx';
import { StudentDialogs } from './actions/StudentDialogs.tsx';
import type { StudentAction } from './actions/student-action.ts';
import { useEnable } from './actions/use-enable.ts';
import { BulkBar } from './bulk/BulkBar.tsx';
import { BulkDialogs } from './bulk/BulkDialogs.tsx';
import type { BulkKind } from './bulk/bulk-kinds.ts';
import { ExportStudents } from './ExportStudents.tsx';
import { RowMenu } from './RowMenu.tsx';
import { readAllStudents } from './read-all-students.ts';
import { studentsRoute } from './route.ts';
import { StudentFilters } from './StudentFilters.tsx';
import classes from './StudentsPage.module.css';
import { useStudentColumns } from './student-columns.tsx';
import {
  isFiltered,
  listQuery,
  pageSizes,
  readStudentsSearch,
  type StudentsSearch,
  sortOf,
} from './students-search.ts';
import { texts } from './texts.ts';
import { useStudentSelection } from './use-student-selection.ts';

/** All students in the own range: to find, change, import and export them. */
export function StudentsPage() {
  const t = useTexts(texts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const { search, change } = useListAddress();
  const [adding, setAdding] = useState(false);
  const [action, setAction] = useState<StudentAction | null>(null);
  const [bulk, setBulk] = useState<BulkKind | null>(null);
  const enable = useEnable();
  const columns = useStudentColumns();
  const rowMenu = useCallback(
    (student: Student) => (
      <RowMenu
        student={student}
        onAction={(kind) => setAction({ kind, student })}
        onEnable={() => enable(student)}
      />
    ),
    [enable],
  );
  const failureText = useFailureText();
  const page = search.page ?? 1;
  const pageSize = search.size ?? pageSizes[0];
  const query = listQuery(schoolDb, search);
  const list = useOperationList('listUsers', { query: { ...query, page, limit: pageSize } });
  const total = list.data?.total ?? 0;
  // Where there is nobody yet, nothing can be found or exported, and how to begin is said in the middle of the page.
  const nobody = list.data !== undefined && total === 0 && !isFiltered(search);
  const add = () => setAdding(true);
  const selection = useStudentSelection(list.data?.rows);

  const goneFilter = hasStatus(list.error, 404) || hasStatus(list.error, 403);
  useEffect(() => {
    // The grade or class that an old address names is not there any more, or in another school.
    if (goneFilter && (search.grade || search.class)) change({ grade: undefined, class: undefined });
  }, [goneFilter, search.grade, search.class, change]);
  const lastPage = Math.max(1, Math.ceil(total / pageSize));
  useEffect(() => {
    if (list.data && !list.isPlaceholderData && page > lastPage) change({ page: lastPage });
  }, [list.data, list.isPlaceholderData, page, lastPage, change]);

  const { selectingAll, selectAll, selectNone } = useSelectAll({
    query,
    read: (options) => readAllStudents(query, options),
    replace: selection.replace,
    onFailure: (error) => notifications.show({ color: 'red', message: failureText(error) }),
  });
  return (
    <>
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
          <div className={classes.line}>
            <output>{list.data ? t('matching', { count: total }) : ''}</output>
            {total > pageSizes[0] && (
              <Select
                visibleFrom="sm"
                className={classes.size ?? ''}
                size="xs"
                aria-label={t('rowsPerPage')}
                value={String(pageSize)}
                onChange={(size) => change({ size: Number(size) })}
                data={pageSizes.map((size) => ({ value: String(size), label: t('rowsOption', { size }) }))}
                allowDeselect={false}
              />
            )}
          </div>
        </>
      )}
      <div className={list.isPlaceholderData ? classes.busy : ''} aria-busy={list.isPlaceholderData}>
        <DataTable<Student>
          label={t('title')}
          columns={columns}
          query={list}
          rowKey={(student) => student.id}
          empty={
            <NoStudents
              filtered={isFiltered(search)}
              onClear={() => change({ q: undefined, grade: undefined, class: undefined, state: undefined })}
              onAdd={add}
            />
          }
          sort={sortOf(search)}
          onSort={({ key, descending }) => change({ sort: key, desc: descending })}
          page={page}
          pageSize={pageSize}
          onPage={(next) => change({ page: next }, { scroll: true })}
          actions={rowMenu}
          selected={selection.ids}
          onSelect={selection.select}
          rowName={({ actualName }) => actualName}
        />
      </div>
      {selection.students.length > 0 && (
        <BulkBar
          selected={selection.students}
          total={total}
          selectingAll={selectingAll}
          onSelectAll={() => void selectAll()}
          onClear={selectNone}
          onChoose={setBulk}
          mayMove={me.classId === null}
        />
      )}
      <AddStudentDialog opened={adding} onClose={() => setAdding(false)} classId={search.class ?? null} />
      <StudentDialogs action={action} onClose={() => setAction(null)} />
      <BulkDialogs
        kind={bulk}
        students={selection.students}
        onClose={(left) => {
          setBulk(null);
          selection.replace(left);
        }}
      />
    </>
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

interface NoStudentsProps {
  readonly filtered: boolean;
  readonly onClear: () => void;
  readonly onAdd: () => void;
}

function NoStudents({ filtered, onClear, onAdd }: NoStudentsProps) {
  const t = useTexts(texts);
  const mayDo = useMayDo();
  const { schoolDb } = useSchool();
  const { data: known } = useOperation('listSchoolClasses', { query: { schoolDb } });
  if (filtered) {
    return (
      <EmptyState
        icon={IconSearchOff}
        title={t('noMatchTitle')}
        hint={t('noMatchHint')}
        action={
          <Button variant="default" onClick={onClear}>
            {t('clearFilters')}
          </Button>
        }
      />
    );
  }
  if (known?.length === 0 && mayDo('manageClasses')) {
    return (
      <EmptyState
        icon={IconUsers}
        title={t('emptyTitle')}
        hint={t('emptyHintNoClass')}
        action={
          <Button component={Link} to="/structure">
            {t('toStructure')}
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={IconUsers}
      title={t('emptyTitle')}
      hint={t('emptyHint')}
      action={
        <Group justify="center" mt="xs">
          <Button variant="default" onClick={onAdd}>
            {t('addStudent')}
          </Button>
          <Button component={Link} to="/students/import">
            {t('importList')}
          </Button>
        </Group>
      }
    />
  );
}

/** The view as the address holds it, and how to change it. A changed filter begins at the first page. */
function useListAddress() {
  const search = studentsRoute.useSearch();
  const navigate = studentsRoute.useNavigate();
  const change = useCallback(
    (changed: { readonly [K in keyof StudentsSearch]?: unknown }, { scroll = false } = {}) =>
      void navigate({
        search: (before) => readStudentsSearch({ ...before, page: undefined, ...changed }),
        replace: !scroll,
        resetScroll: scroll,
      }),
    [navigate],
  );
  return { search, change };
}
