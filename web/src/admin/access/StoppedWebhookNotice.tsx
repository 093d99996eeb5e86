import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useOperationList } from '../../api/queries.ts';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { useSchool } from '../school.tsx';

const texts = defineTexts({
  stoppedTitle: [
    '{{count, number}} webhook was stopped',
    '{{count, number}} webhooks were stopped',
    '有 {{count, number}} 个 Webhook 已停止',
  ],
  stoppedText: [
    'These apps are no longer notified of changes: {{names}}.',
    '以下地址的应用不再收到变更通知：{{names}}。',
  ],
  showWebhooks: ['Show webhooks', '查看 Webhook'],
});

export function StoppedWebhookNotice({ withLink = false }: { readonly withLink?: boolean }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { data } = useOperationList('listCredentialWebhooks', { query: { schoolDb } });
  const stopped = data?.rows.filter(({ stoppedBecause }) => stoppedBecause !== null) ?? [];
  if (stopped.length === 0) return null;
  return (
    <Alert
      color="minus"
      mb="md"
      icon={<IconAlertTriangle aria-hidden size={20} />}
      title={t('stoppedTitle', { count: stopped.length })}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm">{t('stoppedText', { names: stopped.map(({ host }) => host).join(', ') })}</Text>
        {withLink && (
          <Button component={Link} to="/webhooks" variant="default" size="xs">
            {t('showWebhooks')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
