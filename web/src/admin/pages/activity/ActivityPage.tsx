import type { Activity } from '@classledger/contract';
import { Button, Text } from '@mantine/core';
import { IconHistory, IconPencil, IconPlus, IconSearchOff, IconTrash } from '@tabler/icons-react';
import { useEffect } from 'react';
import { hasStatus } from '../../../api/api-failure.ts';
import { useOperationList } from '../../../api/queries.ts';
import { DataTable } from '../../../components/DataTable.tsx';
import { DateText } from '../../../components/DateText.tsx';
import type { Column } from '../../../components/data-table-types.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { useReach } from '../../ReachSwitch.tsx';
import { useSchools } from '../../school.tsx';
import { ActivityFilters, unfiltered } from './ActivityFilters.tsx';
import classes from './ActivityPage.module.css';
import { isLoggedAction, kindOfAction } from './action-groups.ts';
import { actionTexts } from './action-texts.ts';
import {
  type ActivitySearch,
  activityQuery,
  isFiltered,
  pageSize,
  readActivitySearch,
} from './activity-search.ts';
import { activityRoute } from './route.ts';
import { texts } from './texts.ts';

/** Who changed what in the own range, newest first. */
export function ActivityPage() {
  const t = useTexts(texts);
  const search = activityRoute.useSearch();
  const navigate = activityRoute.useNavigate();
  const change = (changed: { readonly [K in keyof ActivitySearch]?: ActivitySearch[K] | undefined }) =>
    void navigate({
      search: (before) => readActivitySearch({ ...before, page: undefined, ...changed }),
      replace: changed.page === undefined,
      resetScroll: changed.page !== undefined,
    });
  const { schoolDb, everything } = useReach(search.all === true);
  const list = useOperationList('listActivity', { query: activityQuery(schoolDb, search) });
  const columns = useColumns(everything);
  const goneFilter = search.admin !== undefined && (hasStatus(list.error, 403) || hasStatus(list.error, 404));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the administrator of an old address is gone
  useEffect(() => {
    if (goneFilter) change({ admin: undefined });
  }, [goneFilter]);
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <ActivityFilters search={search} onChange={change} />
      <output className={classes.line}>
        {list.data?.total ? t('count', { count: list.data.total }) : ''}
      </output>
      <div className={list.isPlaceholderData ? classes.busy : ''} aria-busy={list.isPlaceholderData}>
        <DataTable<Activity>
          label={t('title')}
          columns={columns}
          query={list}
          rowKey={({ id }) => id}
          empty={
            isFiltered(search) ? (
              <EmptyState
                icon={IconSearchOff}
                title={t('noMatchTitle')}
                hint={t('noMatchHint')}
                action={
                  <Button variant="default" onClick={() => change(unfiltered)}>
                    {t('clearFilters')}
                  </Button>
                }
              />
            ) : (
              <EmptyState icon={IconHistory} title={t('emptyTitle')} hint={t('emptyHint')} />
            )
          }
          {...(((search.page ?? 1) > 1 || (list.data?.total ?? 0) > pageSize) && {
            page: search.page ?? 1,
            pageSize,
            onPage: (page: number) => change({ page }),
          })}
        />
      </div>
    </>
  );
}

function useColumns(withSchool: boolean): Column<Activity>[] {
  const t = useTexts(texts);
  const c = useTexts(commonTexts);
  const me = useMe();
  const { schools } = useSchools();
  const columns: Column<Activity>[] = [
    {
      key: 'action',
      header: t('what'),
      cell: ({ action }) => <ActionText action={action} />,
      phone: 'title',
    },
    {
      key: 'target',
      header: t('target'),
      cell: ({ target }) => target?.name ?? (target?.id ? `#${target.id}` : '–'),
    },
    {
      key: 'who',
      header: t('who'),
      cell: ({ adminId, username }) => (
        <>
          {username}
          {adminId === me.id && (
            <Text span size="sm" c="dimmed">
              {` (${t('you')})`}
            </Text>
          )}
        </>
      ),
    },
  ];
  if (withSchool) {
    columns.push({
      key: 'school',
      header: c('school'),
      cell: ({ schoolId }) => schools.find(({ id }) => id === schoolId)?.name ?? '–',
    });
  }
  columns.push({ key: 'when', header: t('when'), cell: ({ createdAt }) => <DateText value={createdAt} /> });
  return columns;
}

const marks = { added: IconPlus, changed: IconPencil, removed: IconTrash } as const;

function ActionText({ action }: { readonly action: string }) {
  const a = useTexts(actionTexts);
  const kind = kindOfAction(action);
  const Mark = marks[kind];
  return (
    <span className={classes.action}>
      <Mark aria-hidden size={16} className={classes.mark ?? ''} data-kind={kind} />
      {isLoggedAction(action) ? a(action) : action}
    </span>
  );
}
