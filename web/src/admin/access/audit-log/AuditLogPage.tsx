import type { AuditRecord } from '@classledger/contract';
import {
  ActionIcon,
  Box,
  Button,
  Checkbox,
  Code,
  DataList,
  Group,
  Modal,
  Select,
  Stack,
  Text,
} from '@mantine/core';
import { IconListSearch, IconLogs } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import { useOperation } from '../../../api/queries.ts';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { DateText } from '../../../components/DateText.tsx';
import { OneLine, StatusBadge, TwoLines } from '../../../components/list/cells.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { useIsPhone } from '../../../components/use-is-phone.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Fact } from '../../Fact.tsx';
import { useOpenDialog } from '../../page/dialogs.tsx';
import { ListPage } from '../../page/ListPage.tsx';
import { usePageSearch } from '../../page/use-page-search.ts';
import { SchoolScopeSwitch, useSchoolScope } from '../../SchoolScopeSwitch.tsx';
import type { FilterProps } from '../../search-parameters.ts';
import { type AuditSearch, httpMethods } from '../search.ts';
import { texts } from './texts.ts';

export default function AuditLogPage() {
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
      filters={(search, change) => <Filters search={search} onChange={change} names={names} />}
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

/** Statuses to choose from in the filter. The URL may contain others. */
const statusChoices = [200, 400, 401, 403, 404, 409, 429, 500, 503];

interface FiltersProps extends FilterProps<AuditSearch> {
  readonly names: ReadonlyMap<number, string>;
}

function Filters({ search, onChange, names }: FiltersProps) {
  const t = useTexts(texts);
  const { token } = search;
  const credentials = [...names].map(([id, name]) => ({ value: id, label: name }));
  if (token !== undefined && !names.has(token)) {
    credentials.push({ value: token, label: t('unknownCredential', { id: token }) });
  }
  const statusLabel = (status: number) => t('statusOf', { status, outcome: t(callOutcomeOf(status)) });
  const offered = new Set([...statusChoices, ...(search.status === undefined ? [] : [search.status])]);
  return (
    <>
      <SchoolScopeSwitch all={search.all} onChange={(all) => onChange({ all, token: undefined })} />
      <Select
        wrapperProps={{ 'data-filter': 'wide' }}
        aria-label={t('credential')}
        placeholder={t('allCredentials')}
        data={credentials}
        value={token ?? null}
        onChange={(id) => onChange({ token: id ?? undefined })}
        searchable
        clearable
        limit={100}
      />
      <Select
        aria-label={t('method')}
        placeholder={t('allMethods')}
        data={[...httpMethods]}
        value={search.method ?? null}
        onChange={(method) => onChange({ method: method ?? undefined })}
        clearable
      />
      <Select
        aria-label={t('state')}
        placeholder={t('allStates')}
        data={[...offered].map((status) => ({ value: status, label: statusLabel(status) }))}
        value={search.status ?? null}
        onChange={(status) => onChange({ status: status ?? undefined })}
        clearable
      />
      <Checkbox
        wrapperProps={{ 'data-filter': 'tick' }}
        label={t('onlyFailed')}
        checked={search.failed === true}
        onChange={(event) => onChange({ failed: event.currentTarget.checked || undefined })}
      />
    </>
  );
}

function useColumns(nameOf: (record: AuditRecord) => string): Column<AuditRecord>[] {
  const t = useTexts(texts);
  return [
    {
      header: t('call'),
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
    { header: t('state'), cell: ({ statusCode }) => <StatusText status={statusCode} /> },
    { header: t('credential'), cell: nameOf },
    {
      header: t('latency'),
      align: 'end',
      phone: 'hidden',
      cell: ({ latencyMs }) => <OneLine>{t('milliseconds', { value: latencyMs })}</OneLine>,
    },
    { header: t('ip'), phone: 'hidden', cell: ({ ip }) => ip },
    { header: t('when'), cell: ({ createdAt }) => <DateText value={createdAt} /> },
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

interface AuditDetailsProps extends DialogProps {
  readonly record: AuditRecord;
  readonly credential: string;
}

function AuditDetails({ record, credential, opened, onClose }: AuditDetailsProps) {
  const t = useTexts(texts);
  const onPhone = useIsPhone();
  const { change } = usePageSearch('/audit-log');
  const { tokenId, tokenPrefix } = record;
  return (
    <Modal opened={opened} onClose={onClose} title={t('detailsTitle')} size="lg">
      <Stack>
        <DataList size="md" gap={10} orientation={onPhone ? 'vertical' : 'horizontal'}>
          <Fact name={t('call')}>
            <Code>
              {record.method} {record.path}
            </Code>
          </Fact>
          <Fact name={t('state')}>
            <StatusText status={record.statusCode} />
          </Fact>
          {record.errorMessage !== null && <Fact name={t('error')}>{record.errorMessage}</Fact>}
          <Fact name={t('when')}>
            <DateText value={record.createdAt} />
          </Fact>
          <Fact name={t('latency')}>{t('milliseconds', { value: record.latencyMs })}</Fact>
          <Fact name={t('credential')}>
            {credential} {tokenPrefix !== null && <Code>{tokenPrefix}</Code>}
          </Fact>
          <Fact name={t('ip')}>{record.ip}</Fact>
          {record.userAgent !== null && <Fact name={t('program')}>{record.userAgent}</Fact>}
          <Fact name={t('requestId')}>
            <Code>{record.requestId}</Code>
          </Fact>
        </DataList>
        <Group justify="flex-end">
          <CopyButton text={record.requestId} label={t('copyRequestId')} />
          {tokenId !== null && (
            <Button
              onClick={() => {
                onClose();
                change({ token: tokenId });
              }}
            >
              {t('onlyThis')}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

function callOutcomeOf(status: number): 'succeeded' | 'refused' | 'broke' {
  if (status >= 500) return 'broke';
  return status >= 400 ? 'refused' : 'succeeded';
}

const colours = { succeeded: 'gray', refused: 'minus', broke: 'red' } as const;

function StatusText({ status }: { readonly status: number }) {
  const t = useTexts(texts);
  const outcome = callOutcomeOf(status);
  return <StatusBadge color={colours[outcome]} label={t('statusOf', { status, outcome: t(outcome) })} />;
}
