import type { AuditRecord } from '@classledger/contract';
import { Button, Code, DataList, Group, Modal, Stack } from '@mantine/core';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { DateText } from '../../../components/DateText.tsx';
import { StatusBadge } from '../../../components/list/cells.tsx';
import { useIsPhone } from '../../../components/use-is-phone.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Fact } from '../../Fact.tsx';
import { usePageSearch } from '../../page/use-page-search.ts';
import { texts } from './texts.ts';

interface AuditDetailsProps extends DialogProps {
  readonly record: AuditRecord;
  readonly credential: string;
}

export function AuditDetails({ record, credential, opened, onClose }: AuditDetailsProps) {
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

export function callOutcomeOf(status: number): 'succeeded' | 'refused' | 'broke' {
  if (status >= 500) return 'broke';
  return status >= 400 ? 'refused' : 'succeeded';
}

const colours = { succeeded: 'gray', refused: 'minus', broke: 'red' } as const;

export function StatusText({ status }: { readonly status: number }) {
  const t = useTexts(texts);
  const outcome = callOutcomeOf(status);
  return <StatusBadge color={colours[outcome]} label={t('statusOf', { status, outcome: t(outcome) })} />;
}
