import type { AuditRecord } from '@classledger/contract';
import { Badge, Button, Code, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { DateText } from '../../../components/DateText.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './AuditLogPage.module.css';
import { callOutcomeOf } from './audit-search.ts';
import { texts } from './texts.ts';

interface AuditDetailsProps {
  readonly record: AuditRecord | null;
  readonly onClose: () => void;
  readonly credentialName: (record: AuditRecord) => string;
  readonly onOnly: (tokenId: number) => void;
}

export function AuditDetails({ record, onClose, credentialName, onOnly }: AuditDetailsProps) {
  const t = useTexts(texts);
  return (
    <Modal opened={record !== null} onClose={onClose} title={t('detailsTitle')} size="lg">
      {record && (
        <Stack>
          <dl className={classes.facts}>
            <Fact name={t('call')}>
              <Code>
                {record.method} {record.path}
              </Code>
            </Fact>
            <Fact name={t('status')}>
              <StatusText status={record.statusCode} />
            </Fact>
            {record.errorMessage !== null && <Fact name={t('error')}>{record.errorMessage}</Fact>}
            <Fact name={t('when')}>
              <DateText value={record.createdAt} />
            </Fact>
            <Fact name={t('latency')}>{t('milliseconds', { value: record.latencyMs })}</Fact>
            <Fact name={t('credential')}>
              {credentialName(record)} {record.tokenPrefix !== null && <Code>{record.tokenPrefix}</Code>}
            </Fact>
            <Fact name={t('ip')}>{record.ip}</Fact>
            {record.userAgent !== null && <Fact name={t('program')}>{record.userAgent}</Fact>}
            <Fact name={t('requestId')}>
              <Code>{record.requestId}</Code>
            </Fact>
          </dl>
          <Group justify="flex-end">
            <CopyButton text={record.requestId} label={t('copyRequestId')} />
            {record.tokenId !== null && (
              <Button onClick={() => record.tokenId !== null && onOnly(record.tokenId)}>
                {t('onlyThis')}
              </Button>
            )}
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

const colours = { succeeded: 'gray', refused: 'minus', broke: 'red' } as const;

export function StatusText({ status }: { readonly status: number }) {
  const t = useTexts(texts);
  const outcome = callOutcomeOf(status);
  return (
    <Badge variant="light" color={colours[outcome]} tt="none" miw="max-content">
      {t('statusOf', { status, outcome: t(outcome) })}
    </Badge>
  );
}
