import type { AuditRecord } from '@classledger/contract';
import { ActionIcon, Button } from '@mantine/core';
import { IconListSearch, IconLogs } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useOperation, useOperationList } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { ListSummary } from '../../../components/list/ListSummary.tsx';
import { NoResults } from '../../../components/list/NoResults.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { usePageSearch } from '../../page/use-page-search.ts';
import { useSchoolScope } from '../../SchoolScopeSwitch.tsx';
import { AuditDetails, StatusText } from './AuditDetails.tsx';
import { AuditFilters } from './AuditFilters.tsx';
import classes from './AuditLogPage.module.css';
import { auditQuery, isFiltered, pageSize, unfiltered } from './audit-search.ts';
import { texts } from './texts.ts';

export function AuditLogPage() {
  const t = useTexts(texts);
  const { search, change, turnTo } = usePageSearch('/audit-log');
  const { schoolDb } = useSchoolScope(search.all === true);
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
      <ListSummary count={list.data?.total ? t('count', { count: list.data.total }) : ''} />
      <DataTable<AuditRecord>
        label={t('title')}
        columns={columns}
        query={list}
        rowKey={({ id }) => id}
        empty={isFiltered(search) ? <NoResults onClear={() => change(unfiltered)} /> : <NoCalls />}
        page={search.page ?? 1}
        pageSize={pageSize}
        onPage={turnTo}
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

function NoCalls() {
  const t = useTexts(texts);
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

function useCredentialNames(schoolDb: string | undefined) {
  const t = useTexts(texts);
  const { data, isPending } = useOperation('listCredentials', { query: { schoolDb } });
  const names = useMemo(() => new Map((data ?? []).map(({ id, name }) => [id, name])), [data]);
  const nameOf = ({ tokenId, tokenPrefix }: Pick<AuditRecord, 'tokenId' | 'tokenPrefix'>): string => {
    if (tokenId === null) return t('noCredential');
    const known = names.get(tokenId);
    if (known !== undefined) return known;
    // The list lacks revoked credentials, but the log still contains their calls.
    if (tokenPrefix === null) return t('unknownCredential', { id: tokenId });
    return isPending ? tokenPrefix : t('revokedCredential', { prefix: tokenPrefix });
  };
  return { names, nameOf };
}
