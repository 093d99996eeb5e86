import type { ScoreLog } from '@classledger/contract';
import { IconArrowBackUp, IconListDetails } from '@tabler/icons-react';
import { useCallback } from 'react';
import { hasStatus } from '../../../api/api-failure.ts';
import { useOperationList } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { useGraduatedAmong } from '../../../components/graduated-class.ts';
import { DataTable } from '../../../components/list/DataTable.tsx';
import { ClearFilters, ListSummary } from '../../../components/list/FilterBar.tsx';
import { DeletedFilter, NoResults } from '../../../components/list/NoResults.tsx';
import { SelectionBar } from '../../../components/list/SelectionBar.tsx';
import { texts as componentTexts } from '../../../components/list/texts.ts';
import { useSelection } from '../../../components/list/use-selection.ts';
import { SchoolTimeNote } from '../../../components/SchoolTimeNote.tsx';
import { StudentNamesContext, useDistinctStudentNames } from '../../../components/student-names.ts';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchoolTime } from '../../../school-time/school-time.ts';
import { RecordActions, useMayChangeRecord } from '../../notes/RecordParts.tsx';
import { RevokeRecordsDialog } from '../../notes/RevokeRecordsDialog.tsx';
import { PageLink } from '../../PageLink.tsx';
import { DialogButton } from '../../page/dialogs.tsx';
import { Page } from '../../page/Page.tsx';
import { usePageSearch } from '../../page/use-page-search.ts';
import { useSchool } from '../../school.tsx';
import type { SearchChange } from '../../search-parameters.ts';
import { RecordFilters } from './RecordFilters.tsx';
import { RecordsOutput, readRecords } from './RecordsOutput.tsx';
import { useRecordColumns } from './record-columns.tsx';
import {
  filterCount,
  isDayRangeOrdered,
  isFiltered,
  pageSize,
  type RecordsSearch,
  recordsQuery,
  unfiltered,
} from './records-search.ts';
import { texts } from './texts.ts';

const none: readonly ScoreLog[] = [];

export default function RecordsPage() {
  const t = useTexts(texts);
  const c = useTexts(componentTexts);
  const { schoolDb } = useSchool();
  const failed = useFailureNotice();
  const { search, change, turnTo } = usePageSearch('/records');
  const columns = useRecordColumns(search.state === 'revoked');
  const page = search.page ?? 1;
  const { today } = useSchoolTime();
  const query = recordsQuery(schoolDb, search, today());
  const list = useOperationList(
    'listScoreLogs',
    { query: { ...query, page, limit: pageSize } },
    { enabled: isDayRangeOrdered(search) },
  );
  const { rows = none, total = 0 } = list.data ?? {};
  const classIds = rows.map(({ classId }) => classId);
  const isGraduated = useGraduatedAmong(schoolDb, classIds);
  const mayChange = useMayChangeRecord();
  const isOpen = useCallback(({ classId }: ScoreLog) => !isGraduated(classId), [isGraduated]);
  const isSelectable = useCallback(
    (record: ScoreLog) => isOpen(record) && mayChange(record),
    [isOpen, mayChange],
  );
  const selection = useSelection<ScoreLog>({
    shown: list.data?.rows,
    total,
    query,
    read: (signal) => readRecords(query, { signal }),
    selectable: isSelectable,
    onFailure: failed,
  });
  const onlyGraduates = total > 0 && !rows.some(isOpen);
  const mayRevoke = search.state === undefined && search.term === undefined;

  const names = useDistinctStudentNames(rows);
  // True when the grade, class, term or author in the URL no longer exists, or the user may not see it.
  const isFilterGone = isFiltered(search) && hasStatus(list.error, 403, 404);

  const narrow = (changed: SearchChange<RecordsSearch>) => {
    selection.selectNone();
    change(changed);
  };
  return (
    <StudentNamesContext value={names}>
      <Page title={t('title')} headActions={<RecordsOutput search={search} total={total} />}>
        <RecordFilters
          search={search}
          onChange={narrow}
          authors={rows.flatMap(({ author }) => author ?? [])}
        />
        <ListSummary count={list.data ? t('matching', { count: total }) : ''}>
          {search.term !== undefined ? t('closedNote') : onlyGraduates && c('graduates')}
        </ListSummary>
        {isFilterGone ? (
          <DeletedFilter onClear={() => narrow(unfiltered)} />
        ) : (
          <DataTable<ScoreLog>
            label={t('title')}
            columns={columns}
            query={list}
            rowKey={({ id }) => id}
            empty={<NoRecords search={search} onClear={() => narrow(unfiltered)} />}
            page={page}
            pageSize={pageSize}
            onPage={turnTo}
            printedWhole
            {...(mayRevoke && {
              actions: (record: ScoreLog) =>
                isOpen(record) && <RecordActions record={record} onRevoked={selection.deselect} />,
              selectable: isSelectable,
              selected: selection.ids,
              onSelect: selection.select,
            })}
          />
        )}
        <SchoolTimeNote />
        {mayRevoke && selection.count > 0 && (
          <SelectionBar label={t('selection')} selection={selection}>
            <DialogButton
              disabled={selection.selectingAll}
              dialog={(dialog) => (
                <RevokeRecordsDialog {...dialog} records={selection.rows} onRevoked={selection.deselect} />
              )}
            >
              {t('undo')}
            </DialogButton>
          </SelectionBar>
        )}
      </Page>
    </StudentNamesContext>
  );
}

interface NoRecordsProps {
  readonly search: RecordsSearch;
  readonly onClear: () => void;
}

function NoRecords({ search, onClear }: NoRecordsProps) {
  const t = useTexts(texts);
  if (filterCount(search) === 1 && search.state === 'revoked') {
    return (
      <EmptyState
        icon={IconArrowBackUp}
        title={t('noRevokedTitle')}
        hint={t('noRevokedHint')}
        action={<ClearFilters onClear={onClear} />}
      />
    );
  }
  if (isFiltered(search)) return <NoResults onClear={onClear} />;
  return (
    <EmptyState
      icon={IconListDetails}
      title={t('emptyTitle')}
      hint={t('emptyHint')}
      action={<PageLink to="/scoring">{t('toScoring')}</PageLink>}
    />
  );
}
