import type { Credential } from '@classledger/contract';
import { Alert, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMutationOf, useOperation, useOperationList } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import { useRowDialog } from '../../../components/list/use-row-dialog.ts';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { readPage } from '../../search-parameters.ts';
import { useListSearch } from '../../use-list-search.ts';
import { StoppedNotice } from '../webhook-notice/StoppedNotice.tsx';
import { CredentialDialogs } from './CredentialDialogs.tsx';
import { type CredentialAction, CredentialMenu } from './CredentialMenu.tsx';
import { useCredentialColumns } from './credential-columns.tsx';
import { IssueDialog } from './IssueDialog.tsx';
import { texts } from './texts.ts';

const pageSize = 50;

export function CredentialsPage() {
  const t = useTexts(texts);
  const language = useLanguage();
  const { schoolDb } = useSchool();
  const { search, turnTo } = useListSearch('/api-tokens', readPage);
  const { page = 1 } = search;
  const [issuing, setIssuing] = useState(false);
  const dialog = useRowDialog<CredentialAction>();
  const list = useOperationList('listCredentials', { query: { schoolDb, page, limit: pageSize } });
  const { data: meta } = useOperation('getCredentialMeta');
  const enable = useEnable();
  const columns = useCredentialColumns();
  const nothingToGive = meta?.scopeTypes.length === 0;
  const issueButton = (
    <Button
      leftSection={<IconPlus aria-hidden size={16} />}
      onClick={() => setIssuing(true)}
      disabled={!meta || nothingToGive}
    >
      {t('issue')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <Button component="a" href={`/docs/guide?lang=${language}`} target="_blank" variant="default">
              {t('toGuide')}
            </Button>
            <Button component={Link} to="/webhooks" variant="default">
              {t('toWebhooks')}
            </Button>
            <Button component={Link} to="/audit-log" variant="default">
              {t('toAuditLog')}
            </Button>
            {/* The empty state has it then. */}
            {list.data?.total !== 0 && issueButton}
          </>
        }
      />
      <StoppedNotice withLink />
      {nothingToGive && (
        <Alert title={t('noRangeTitle')} mb="md">
          {t('noRangeText')}
        </Alert>
      )}
      <DataTable<Credential>
        label={t('title')}
        columns={columns}
        query={list}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={IconKey}
            title={t('emptyTitle')}
            hint={t('emptyHint')}
            action={!nothingToGive && issueButton}
          />
        }
        page={page}
        pageSize={pageSize}
        onPage={turnTo}
        actions={(credential) => (
          <CredentialMenu
            credential={credential}
            busy={enable.isPending && enable.variables.params.id === credential.id}
            onAction={(kind) => dialog.open({ kind, credential })}
            onEnable={() =>
              enable.mutate({ params: { id: credential.id }, body: { schoolDb, disabled: false } })
            }
          />
        )}
      />
      {meta && <IssueDialog meta={meta} opened={issuing} onClose={() => setIssuing(false)} />}
      {meta && dialog.action && (
        <CredentialDialogs
          key={dialog.action.credential.id}
          meta={meta}
          {...dialog.action}
          opened={dialog.opened}
          onClose={dialog.close}
        />
      )}
    </>
  );
}

/** Needs no confirmation: the person who disabled it may enable it too. */
function useEnable() {
  const t = useTexts(texts);
  return useMutationOf('updateCredential', {
    onSuccess: ({ name }) => notifications.show({ message: t('enabledDone', { name }) }),
    onError: useFailureNotice(),
  });
}
