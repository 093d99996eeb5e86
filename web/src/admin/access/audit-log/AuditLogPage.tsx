import type { AuditRecord } from '@classledger/contract';
import { ActionIcon, Box, Button, Group, Text } from '@mantine/core';
import { IconListSearch, IconLogs } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import { useOperation } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { OneLine, TwoLines } from '../../../components/list/cells.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useOpenDialog } from '../../page/dialogs.tsx';
import { ListPage } from '../../page/ListPage.tsx';
import { useSchoolScope } from '../../SchoolScopeSwitch.tsx';
import { AuditDetails, StatusText } from './AuditDetails.tsx';
import { AuditFilters } from './AuditFilters.tsx';
import { texts } from './texts.ts';

export function AuditLogPage() {
  const t = useTexts(texts);
  const { all } = useSearch({ from: '/shell/audit-log' });
  const { schoolDb } = useSchoolScope(all);
  const { names, nameOf } = useCredentialNames(schoolDb);
  const columns = useColumns(nameOf);
  return (
    <ListPage
      path="/audit-log"
      list="listAuditRecords"
      input={({ token, method, status, failed }, paging) => ({
        query: { schoolDb, tokenId: token, method, statusCode: status, onlyFailed: failed, ...paging },
      })}
      title={t('title')}
      description={t('description')}
      headActions={
        <Button component={Link} to="/api-tokens" variant="default">
          {t('toCredentials')}
        </Button>
      }
      filters={(search, change) => <AuditFilters search={search} onChange={change} names={names} />}
      count={(count) => t('count', { count })}
      columns={columns}
      nameOf={({ method, path }) => `${method} ${path}`}
      rowEnd={(record) => <DetailsButton record={record} credential={nameOf(record)} />}
      empty={{
        icon: IconLogs,
        title: t('emptyTitle'),
        hint: t('emptyHint'),
        action: (
          <Button component={Link} to="/api-tokens">
            {t('toCredentials')}
          </Button>
        ),
      }}
    />
  );
}

interface DetailsButtonProps {
  readonly record: AuditRecord;
  readonly credential: string;
}

function DetailsButton({ record, credential }: DetailsButtonProps) {
  const t = useTexts(texts);
  const open = useOpenDialog();
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={t('details', { method: record.method, path: record.path })}
      onClick={() => open((dialog) => <AuditDetails {...dialog} record={record} credential={credential} />)}
    >
      <IconListSearch aria-hidden size={18} />
    </ActionIcon>
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
        <TwoLines
          under={
            errorMessage !== null && (
              <Box component="span" display="block" maw={420}>
                {errorMessage}
              </Box>
            )
          }
        >
          <Group component="span" gap="2px 10px" align="baseline" ff="monospace" fz="sm" fw={400}>
            <Text span inherit fw={700} miw={56}>
              {method}
            </Text>
            <span style={{ overflowWrap: 'anywhere' }}>{path}</span>
          </Group>
        </TwoLines>
      ),
    },
    { key: 'status', header: t('status'), cell: ({ statusCode }) => <StatusText status={statusCode} /> },
    { key: 'credential', header: t('credential'), cell: nameOf },
    {
      key: 'latency',
      header: t('latency'),
      align: 'end',
      phone: 'hidden',
      cell: ({ latencyMs }) => <OneLine>{t('milliseconds', { value: latencyMs })}</OneLine>,
    },
    { key: 'ip', header: t('ip'), phone: 'hidden', cell: ({ ip }) => ip },
    { key: 'when', header: t('when'), cell: ({ createdAt }) => <DateText value={createdAt} /> },
  ];
}

function useCredentialNames(schoolDb: string | undefined) {
  const t = useTexts(texts);
  const { data, isPending } = useOperation('listCredentials', { query: { schoolDb } });
  const names = new Map((data ?? []).map(({ id, name }) => [id, name]));
  const nameOf = ({ tokenId, tokenPrefix }: AuditRecord): string => {
    if (tokenId === null) return t('noCredential');
    const known = names.get(tokenId);
    if (known !== undefined) return known;
    // The list lacks revoked credentials, but the log still contains their calls.
    if (tokenPrefix === null) return t('unknownCredential', { id: tokenId });
    return isPending ? tokenPrefix : t('revokedCredential', { prefix: tokenPrefix });
  };
  return { names, nameOf };
}
