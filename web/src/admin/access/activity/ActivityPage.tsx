import { verbs } from 'virtual:admin-contract';
import type { Activity } from '@classledger/contract';
import { Anchor, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconEraser,
  IconFileExport,
  IconHistory,
  IconPencil,
  IconPlus,
  IconTrash,
  IconUser,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { hasStatus } from '../../../api/api-failure.ts';
import { useOperationList } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { ListSummary } from '../../../components/list/ListSummary.tsx';
import { DeletedFilter, NoResults } from '../../../components/list/NoResults.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { SchoolTimeNote } from '../../../components/SchoolTimeNote.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useTimeZone } from '../../../school-time/school-time.ts';
import { deviceName } from '../../../session/device-name.ts';
import { useMe } from '../../me.ts';
import { usePageSearch } from '../../page/use-page-search.ts';
import { useSchoolScope } from '../../SchoolScopeSwitch.tsx';
import { useSchools } from '../../school.tsx';
import { isLoggedAction } from '../actions/action-groups.ts';
import { actionTexts } from '../actions/action-texts.ts';
import { ActivityFilters } from './ActivityFilters.tsx';
import classes from './ActivityPage.module.css';
import { activityQuery, isFiltered, pageSize, unfiltered } from './activity-search.ts';
import { texts } from './texts.ts';

export function ActivityPage() {
  const t = useTexts(texts);
  const { search, change, turnTo } = usePageSearch('/activity');
  const { schoolDb, everything } = useSchoolScope(search.all === true);
  const list = useOperationList('listActivity', { query: activityQuery(schoolDb, useTimeZone(), search) });
  const columns = useColumns(everything);
  // True when the administrator in the URL no longer exists, or the user may not see them.
  const isFilterGone =
    search.admin !== undefined && [403, 404].some((status) => hasStatus(list.error, status));
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <ActivityFilters search={search} onChange={change} />
      <ListSummary count={list.data?.total ? t('count', { count: list.data.total }) : ''} />
      {isFilterGone ? (
        <DeletedFilter onClear={() => change(unfiltered)} />
      ) : (
        <DataTable<Activity>
          label={t('title')}
          columns={columns}
          query={list}
          rowKey={({ id }) => id}
          empty={
            isFiltered(search) ? (
              <NoResults onClear={() => change(unfiltered)} />
            ) : (
              <EmptyState icon={IconHistory} title={t('emptyTitle')} hint={t('emptyHint')} />
            )
          }
          page={search.page ?? 1}
          pageSize={pageSize}
          onPage={turnTo}
        />
      )}
      <SchoolTimeNote />
    </>
  );
}

function useColumns(withSchool: boolean): Column<Activity>[] {
  const t = useTexts(texts);
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
      cell: (entry) => <Target {...entry} />,
    },
    {
      key: 'who',
      header: t('who'),
      cell: ({ adminId, username, ip, userAgent }) => (
        <>
          {username}
          {adminId === me.id && (
            <Text span size="sm" c="dimmed">
              {` (${t('you')})`}
            </Text>
          )}
          <Text size="xs" c="dimmed">
            {[deviceName(userAgent), ip].filter((part) => part !== null).join(' · ')}
          </Text>
        </>
      ),
    },
  ];
  if (withSchool) {
    columns.push({
      key: 'school',
      header: t('school'),
      cell: ({ schoolId }) => schools.find(({ id }) => id === schoolId)?.name ?? '–',
    });
  }
  columns.push({ key: 'when', header: t('when'), cell: ({ createdAt }) => <DateText value={createdAt} /> });
  return columns;
}

function Target({ action, target }: Activity) {
  const name = target?.name ?? (target?.id ? `#${target.id}` : '–');
  if (!target?.id) return name;
  const { id } = target;
  if (action === 'promoteSchool' || action === 'undoPromotion') {
    return (
      <Anchor
        renderRoot={(props) => <Link to="/structure/promotion" search={{ promotion: id }} {...props} />}
      >
        {name}
      </Anchor>
    );
  }
  if (action !== 'startImport' && action !== 'undoImport') return name;
  return (
    <Anchor
      renderRoot={(props) => <Link to="/imports/$importId" params={{ importId: String(id) }} {...props} />}
    >
      {name}
    </Anchor>
  );
}

const kindIcons = {
  added: IconPlus,
  changed: IconPencil,
  removed: IconTrash,
  erased: IconEraser,
  disclosed: IconFileExport,
  account: IconUser,
  failed: IconAlertTriangle,
} as const;

function ActionText({ action }: { readonly action: string }) {
  const a = useTexts(actionTexts);
  const kind = verbs[action] ?? (action.endsWith('Failed') ? 'failed' : 'account');
  const KindIcon = kindIcons[kind];
  return (
    <span className={classes.action}>
      <KindIcon aria-hidden size={16} className={classes.icon ?? ''} data-kind={kind} />
      {isLoggedAction(action) ? a(action) : action}
    </span>
  );
}
