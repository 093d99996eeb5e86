import { rangeOfRole } from 'virtual:admin-contract';
import type { Administrator } from '@classledger/contract';
import { Badge, Button, Group, Text, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus, IconUpload, IconUserShield } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMutationOf, useOperation, useOperationList } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { ListLine } from '../../../components/list/ListLine.tsx';
import { NoMatch } from '../../../components/list/NoMatch.tsx';
import { useRowDialog } from '../../../components/list/use-row-dialog.ts';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMayDo, useMe } from '../../me.ts';
import { useReach } from '../../ReachSwitch.tsx';
import { texts as shellTexts } from '../../shell/texts.ts';
import { useListSearch } from '../../use-list-search.ts';
import { AddDialog } from './AddDialog.tsx';
import { AdministratorDialogs } from './AdministratorDialogs.tsx';
import { AdministratorFilters } from './AdministratorFilters.tsx';
import { type AdministratorAction, AdministratorMenu } from './AdministratorMenu.tsx';
import classes from './AdministratorsPage.module.css';
import {
  administratorsQuery,
  isFiltered,
  pageSize,
  readAdministratorsSearch,
  unfiltered,
} from './administrators-search.ts';
import { hasDeletedRange } from './affiliation.ts';
import { texts } from './texts.ts';

export function AdministratorsPage() {
  const t = useTexts(texts);
  const mayManage = useMayDo()('manageAdministrators');
  const { search, change, turnTo } = useListSearch('/administrators', readAdministratorsSearch);
  const { schoolDb, everything } = useReach(search.all === true);
  const list = useOperationList('listAdministrators', { query: administratorsQuery(schoolDb, search) });
  const isManaged = useManaged(schoolDb);
  const enable = useEnable();
  const columns = useColumns(everything);
  const [adding, setAdding] = useState(false);
  const dialog = useRowDialog<AdministratorAction>();
  const filtered = isFiltered(search);
  const addButton = mayManage && (
    <Group gap="xs">
      {schoolDb !== undefined && (
        <Button
          variant="default"
          leftSection={<IconUpload aria-hidden size={16} />}
          component={Link}
          to="/administrators/class-teachers"
        >
          {t('classTeachers')}
        </Button>
      )}
      <Button leftSection={<IconPlus aria-hidden size={16} />} onClick={() => setAdding(true)}>
        {t('add')}
      </Button>
    </Group>
  );
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t(mayManage ? 'description' : 'descriptionRead')}
        actions={addButton}
      />
      {/* With one class there are only a few administrators, so filters would not help. */}
      {(mayManage || filtered) && <AdministratorFilters search={search} onChange={change} />}
      <ListLine count={list.data?.total ? t('count', { count: list.data.total }) : ''} />
      <DataTable<Administrator>
        label={t('title')}
        columns={columns}
        query={list}
        rowKey={({ id }) => id}
        empty={
          filtered ? (
            <NoMatch onClear={() => change(unfiltered)} />
          ) : (
            <EmptyState
              icon={IconUserShield}
              title={t('emptyTitle')}
              hint={t('emptyHint')}
              action={addButton}
            />
          )
        }
        page={search.page ?? 1}
        pageSize={pageSize}
        onPage={turnTo}
        actions={(administrator) => (
          <AdministratorMenu
            administrator={administrator}
            managed={isManaged(administrator)}
            busy={enable.isPending && enable.variables.params.id === administrator.id}
            onAction={(kind) => dialog.open({ kind, administrator })}
            onEnable={() => enable.mutate({ params: { id: administrator.id }, body: { disabled: false } })}
          />
        )}
      />
      {mayManage && <Rules />}
      <AddDialog opened={adding} onClose={() => setAdding(false)} />
      {dialog.action && (
        <AdministratorDialogs
          key={dialog.action.administrator.id}
          {...dialog.action}
          opened={dialog.opened}
          onClose={dialog.close}
        />
      )}
    </>
  );
}

/** Super administrators may change everyone, others only those that the server lists. */
function useManaged(schoolDb: string | undefined): (administrator: Administrator) => boolean {
  const { role } = useMe();
  const ask = useMayDo()('manageAdministrators') && role !== 'super_admin';
  const { data } = useOperation('listManagedAdministrators', { query: { schoolDb } }, { enabled: ask });
  return ({ id }) => role === 'super_admin' || (data?.some((managed) => managed.id === id) ?? false);
}

function useEnable() {
  const t = useTexts(texts);
  return useMutationOf('updateAdministrator', {
    onSuccess: ({ username }) => notifications.show({ message: t('enabledDone', { name: username }) }),
    onError: useFailureNotice(),
  });
}

function Rules() {
  const t = useTexts(texts);
  return (
    <details className={classes.rules}>
      <summary>{t('rulesTitle')}</summary>
      <ul>
        <li>{t('rule1')}</li>
        <li>{t('rule2')}</li>
        <li>{t('rule3')}</li>
      </ul>
    </details>
  );
}

function useColumns(withSchool: boolean): Column<Administrator>[] {
  const t = useTexts(texts);
  const s = useTexts(shellTexts);
  const me = useMe();
  return [
    {
      key: 'username',
      header: t('username'),
      phone: 'title',
      cell: ({ id, username }) => (
        <Text span inherit fw={600}>
          {username}
          {id === me.id && (
            <Text span size="sm" c="dimmed">
              {` (${t('you')})`}
            </Text>
          )}
        </Text>
      ),
    },
    { key: 'role', header: t('role'), cell: ({ role }) => s(role) },
    {
      key: 'range',
      header: t('range'),
      cell: (administrator) => <RangeText administrator={administrator} withSchool={withSchool} />,
    },
    {
      key: 'state',
      header: t('state'),
      cell: ({ disabled }) => (
        <Badge variant="light" color={disabled ? 'gray' : 'plus'} tt="none">
          {t(disabled ? 'disabled' : 'active')}
        </Badge>
      ),
    },
    {
      key: 'created',
      header: t('created'),
      phone: 'hidden',
      cell: ({ createdAt }) => <DateText value={createdAt} as="day" />,
    },
  ];
}

interface RangeTextProps {
  readonly administrator: Administrator;
  readonly withSchool: boolean;
}

function RangeText({ administrator, withSchool }: RangeTextProps) {
  const t = useTexts(texts);
  const { role, schoolName, gradeName, className } = administrator;
  const range = rangeOfRole[role];
  if (range === 'everything') return t('everything');
  const place = range === 'school' ? t('wholeSchool') : [gradeName, className].filter(Boolean).join(' ');
  return (
    <>
      {hasDeletedRange(administrator) ? (
        <Tooltip
          label={t('strandedHint')}
          multiline
          maw={280}
          events={{ hover: true, focus: true, touch: true }}
        >
          <span className={classes.warning}>{t('stranded')}</span>
        </Tooltip>
      ) : (
        place
      )}
      {withSchool && <span className={classes.under}>{schoolName}</span>}
    </>
  );
}
