import type { Credential } from '@classledger/contract';
import { Alert, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMutationOf, useOperation, useOperationList } from '../../../api/queries.ts';
import { DataTable } from '../../../components/DataTable.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { useFailureText } from '../../../components/failure-text.ts';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { CredentialDialogs } from './CredentialDialogs.tsx';
import { type CredentialAction, CredentialMenu } from './CredentialMenu.tsx';
import { useCredentialColumns } from './credential-columns.tsx';
import { IssueDialog } from './IssueDialog.tsx';
import { apiTokensRoute } from './route.ts';
import { texts } from './texts.ts';

const pageSize = 50;

/** The credentials of the own range: to issue, watch, change and end them. */
export function ApiTokensPage() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { page = 1 } = apiTokensRoute.useSearch();
  const navigate = apiTokensRoute.useNavigate();
  const [issuing, setIssuing] = useState(false);
  const [chosen, setChosen] = useState<Credential | null>(null);
  const [action, setAction] = useState<CredentialAction | null>(null);
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
            <Button component="a" href="/docs/guide" target="_blank" variant="subtle">
              {t('toGuide')}
            </Button>
            <Button component={Link} to="/audit-log" variant="default">
              {t('toAuditLog')}
            </Button>
            {issueButton}
          </>
        }
      />
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
        {...((page > 1 || (list.data?.total ?? 0) > pageSize) && {
          page,
          pageSize,
          onPage: (next: number) => void navigate({ search: next > 1 ? { page: next } : {} }),
        })}
        actions={(credential) => (
          <CredentialMenu
            credential={credential}
            onAction={(next) => {
              setChosen(credential);
              setAction(next);
            }}
            onEnable={() => enable(credential)}
          />
        )}
      />
      {meta && <IssueDialog meta={meta} opened={issuing} onClose={() => setIssuing(false)} />}
      {meta && chosen && (
        <CredentialDialogs
          key={chosen.id}
          meta={meta}
          credential={chosen}
          action={action}
          onClose={() => setAction(null)}
        />
      )}
    </>
  );
}

/** Lets a disabled credential work again; the one who disabled it may, so nobody is asked. */
function useEnable(): (credential: Credential) => void {
  const t = useTexts(texts);
  const failureText = useFailureText();
  const { schoolDb } = useSchool();
  const { mutate } = useMutationOf('updateCredential', {
    invalidates: ['listCredentials'],
    onSuccess: ({ name }) => notifications.show({ message: t('enabledDone', { name }) }),
    onError: (error) => notifications.show({ color: 'red', title: t('failed'), message: failureText(error) }),
  });
  return ({ id }) => mutate({ params: { id }, body: { schoolDb, disabled: false } });
}
