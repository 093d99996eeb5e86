import type { ScoreLog } from '@classledger/contract';
import { ActionIcon, Anchor, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowBackUp, IconListDetails, IconSearchOff, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { hasStatus } from '../../../api/api-failure.ts';
import { useOperationList } from '../../../api/queries.ts';
import { DataTable } from '../../../components/DataTable.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { useFailureText } from '../../../components/failure-text.ts';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useSelectAll } from '../../../components/use-select-all.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { ExportRecords } from './ExportRecords.tsx';
import { RecordFilters } from './RecordFilters.tsx';
import classes from './Records.module.css';
import { RevokeRecordsDialog } from './RevokeRecordsDialog.tsx';
import { readAllRecords } from './read-all-records.ts';
import { useRecordColumns } from './record-columns.tsx';
import {
  daysAreOrdered,
  filterCount,
  listQuery,
  noFilters,
  pageSize,
  type RecordsChange,
  type RecordsSearch,
  readRecordsSearch,
} from './records-search.ts';
import { recordsRoute } from './route.ts';
import { texts } from './texts.ts';
import { useRecordSelection } from './use-record-selection.ts';

const none: readonly ScoreLog[] = [];

/** Every point given or taken in the own range: to find, export and take back. */
export function RecordsPage() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const failureText = useFailureText();
  const { search, change } = useListAddress();
  const columns = useRecordColumns(search.state === 'revoked');
  const [revoking, setRevoking] = useState<readonly ScoreLog[]>(none);
  const page = search.page ?? 1;
  const query = listQuery(schoolDb, search);
  const list = useOperationList(
    'listScoreLogs',
    { query: { ...query, page, limit: pageSize } },
    { enabled: daysAreOrdered(search) },
  );
  const total = list.data?.total ?? 0;
  const selection = useRecordSelection(list.data?.rows);
  const mayRevoke = search.state === undefined && search.term === undefined;

  const goneFilter = hasStatus(list.error, 404) || hasStatus(list.error, 403);
  useEffect(() => {
    // The grade, class or term that an old address names is not there any more, or in another school.
    if (goneFilter && filterCount(search) > 0) {
      change({ grade: undefined, class: undefined, term: undefined, by: undefined });
    }
  }, [goneFilter, search, change]);
  const lastPage = Math.max(1, Math.ceil(total / pageSize));
  useEffect(() => {
    if (list.data && !list.isPlaceholderData && page > lastPage) change({ page: lastPage });
  }, [list.data, list.isPlaceholderData, page, lastPage, change]);

  const { selectingAll, selectAll, selectNone } = useSelectAll({
    query,
    read: (options) => readAllRecords(query, options),
    replace: selection.replace,
    onFailure: (error) => notifications.show({ color: 'red', message: failureText(error) }),
  });
  const narrow = (changed: RecordsChange) => {
    selectNone();
    change(changed);
  };
  return (
    <>
      <PageHeader title={t('title')} actions={total > 0 && <ExportRecords search={search} total={total} />} />
      <RecordFilters
        search={search}
        onChange={narrow}
        authors={(list.data?.rows ?? none).flatMap(({ author }) => author ?? [])}
      />
      <div className={classes.line}>
        <output>{list.data ? t('matching', { count: total }) : ''}</output>
        {search.term !== undefined && <span className={classes.note}>{t('closedNote')}</span>}
      </div>
      <div className={list.isPlaceholderData ? classes.busy : ''} aria-busy={list.isPlaceholderData}>
        <DataTable<ScoreLog>
          label={t('title')}
          columns={columns}
          query={list}
          rowKey={({ id }) => id}
          empty={<NoRecords search={search} onClear={() => narrow(noFilters)} />}
          page={page}
          pageSize={pageSize}
          onPage={(next) => change({ page: next }, { scroll: true })}
          {...(mayRevoke && {
            actions: (record: ScoreLog) => (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('revoke')}
                title={t('revoke')}
                onClick={() => setRevoking([record])}
              >
                <IconArrowBackUp aria-hidden size={18} />
              </ActionIcon>
            ),
            selected: selection.ids,
            onSelect: selection.select,
          })}
        />
      </div>
      {mayRevoke && selection.records.length > 0 && (
        <section className={`${classes.bar} no-print`} aria-label={t('selection')}>
          <div className={classes.count}>
            <output>{t('selected', { count: selection.records.length })}</output>
            {selection.records.length < total && (
              <Button
                variant="subtle"
                size="compact-sm"
                onClick={() => void selectAll()}
                loading={selectingAll}
              >
                {t('selectAllMatching', { count: total })}
              </Button>
            )}
          </div>
          <Button onClick={() => setRevoking(selection.records)}>{t('revoke')}</Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('clearSelection')}
            onClick={selectNone}
          >
            <IconX aria-hidden size={18} />
          </ActionIcon>
        </section>
      )}
      <RevokeRecordsDialog
        records={revoking}
        onClose={() => setRevoking(none)}
        onRevoked={(left) => {
          const asked = new Set(revoking.map(({ id }) => id));
          const still = new Set(left);
          selection.replace(selection.records.filter(({ id }) => !asked.has(id) || still.has(id)));
        }}
      />
    </>
  );
}

interface NoRecordsProps {
  readonly search: RecordsSearch;
  readonly onClear: () => void;
}

function NoRecords({ search, onClear }: NoRecordsProps) {
  const t = useTexts(texts);
  const clear = (
    <Button variant="default" onClick={onClear}>
      {t('clearFilters')}
    </Button>
  );
  const count = filterCount(search);
  if (count === 1 && search.state === 'revoked') {
    return (
      <EmptyState
        icon={IconArrowBackUp}
        title={t('noRevokedTitle')}
        hint={t('noRevokedHint')}
        action={clear}
      />
    );
  }
  if (count > 0) {
    return (
      <EmptyState icon={IconSearchOff} title={t('noMatchTitle')} hint={t('noMatchHint')} action={clear} />
    );
  }
  return (
    <EmptyState
      icon={IconListDetails}
      title={t('emptyTitle')}
      hint={t('emptyHint')}
      action={<Anchor renderRoot={(props) => <Link to="/scoring" {...props} />}>{t('toScoring')}</Anchor>}
    />
  );
}

/** The view as the address holds it, and how to change it. A changed filter begins at the first page. */
function useListAddress() {
  const search = recordsRoute.useSearch();
  const navigate = recordsRoute.useNavigate();
  const change = useCallback(
    (changed: RecordsChange, { scroll = false } = {}) =>
      void navigate({
        search: (before) => readRecordsSearch({ ...before, page: undefined, ...changed }),
        replace: !scroll,
        resetScroll: scroll,
      }),
    [navigate],
  );
  return { search, change };
}
