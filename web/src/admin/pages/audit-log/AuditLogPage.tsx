import type { AuditRecord } from '@classledger/contract';
import { ActionIcon, Button } from '@mantine/core';
import { IconListSearch, IconLogs, IconSearchOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useOperationList } from '../../../api/queries.ts';
import { DataTable } from '../../../components/DataTable.tsx';
import { DateText } from '../../../components/DateText.tsx';
import type { Column } from '../../../components/data-table-types.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useReach } from '../../ReachSwitch.tsx';
import { AuditDetails } from './AuditDetails.tsx';
import { type AuditChange, AuditFilters, unfiltered } from './AuditFilters.tsx';
import classes from './AuditLogPage.module.css';
import { auditQuery, isFiltered, pageSize, readAuditSearch } from './audit-search.ts';
import { auditLogRoute } from './route.ts';
import { StatusText } from './StatusText.tsx';
import { texts } from './texts.ts';
import { useCredentialNames } from './use-credential-names.ts';

/** What programs did with the credentials of the own range, newest first. */
export function AuditLogPage() {
  const t = useTexts(texts);
  const search = auditLogRoute.useSearch();
  const navigate = auditLogRoute.useNavigate();
  const change = (changed: AuditChange) =>
    void navigate({
      search: (before) => readAuditSearch({ ...before, page: undefined, ...changed }),
      replace: changed.page === undefined,
      resetScroll: changed.page !== undefined,
    });
  const { schoolDb } = useReach(search.all === true);
  const list = useOperationList('listAuditRecords', { query: auditQuery(schoolDb, search) });
  const { names, nameOf } = useCredentialNames(schoolDb);
  const [shown, setShown] = useState<AuditRecord | null>(null);
  const columns = useColumns(nameOf);
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <Button component={Link} to="/api-tokens" variant="default">
            {t('toCredentials')}
          </Button>
        }
      />
      <AuditFilters search={search} onChange={change} names={names} />
      <output className={classes.line}>
        {list.data?.total ? t('count', { count: list.data.total }) : ''}
      </output>
      <div className={list.isPlaceholderData ? classes.busy : ''} aria-busy={list.isPlaceholderData}>
        <DataTable<AuditRecord>
          label={t('title')}
          columns={columns}
          query={list}
          rowKey={({ id }) => id}
          empty={<NoCalls filtered={isFiltered(search)} onClear={() => change(unfiltered)} />}
          {...(((search.page ?? 1) > 1 || (list.data?.total ?? 0) > pageSize) && {
            page: search.page ?? 1,
            pageSize,
            onPage: (page: number) => change({ page }),
          })}
          actions={(record) => (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('details', { method: record.method, path: record.path })}
              onClick={() => setShown(record)}
            >
              <IconListSearch aria-hidden size={18} />
            </ActionIcon>
          )}
        />
      </div>
      <AuditDetails
        record={shown}
        onClose={() => setShown(null)}
        credentialName={nameOf}
        onOnly={(token) => {
          setShown(null);
          change({ token });
        }}
      />
    </>
  );
}

interface NoCallsProps {
  readonly filtered: boolean;
  readonly onClear: () => void;
}

function NoCalls({ filtered, onClear }: NoCallsProps) {
  const t = useTexts(texts);
  if (!filtered) {
    return (
      <EmptyState
        icon={IconLogs}
        title={t('emptyTitle')}
        hint={t('emptyHint')}
        action={
          <Button component={Link} to="/api-tokens">
            {t('toCredentials')}
          </Button>
        }
      />
    );
  }
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

function useColumns(nameOf: (record: AuditRecord) => string): Column<AuditRecord>[] {
  const t = useTexts(texts);
  return [
    {
      key: 'call',
      header: t('call'),
      phone: 'title',
      cell: ({ method, path, errorMessage }) => (
        <>
          <span className={classes.call}>
            <span className={classes.method}>{method}</span>
            <span>{path}</span>
          </span>
          {errorMessage !== null && <span className={classes.error}>{errorMessage}</span>}
        </>
      ),
    },
    { key: 'status', header: t('status'), cell: ({ statusCode }) => <StatusText status={statusCode} /> },
    { key: 'credential', header: t('credential'), cell: nameOf },
    {
      key: 'latency',
      header: t('latency'),
      align: 'end',
      phone: 'hidden',
      cell: ({ latencyMs }) => (
        <span className={classes.oneLine}>{t('milliseconds', { value: latencyMs })}</span>
      ),
    },
    { key: 'ip', header: t('ip'), phone: 'hidden', cell: ({ ip }) => ip },
    {
      key: 'when',
      header: t('when'),
      cell: ({ createdAt }) => (
        <span className={classes.oneLine}>
          <DateText value={createdAt} />
        </span>
      ),
    },
  ];
}
