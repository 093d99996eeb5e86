import { Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { FormEnd } from '../../../components/FormEnd.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

export function SendSinceDialog({
  webhookId,
  opened,
  onClose,
}: DialogProps & { readonly webhookId: number }) {
  const t = useTexts(texts);
  return (
    <Modal opened={opened} onClose={onClose} title={t('sendSinceTitle')}>
      <SendSinceForm webhookId={webhookId} onClose={onClose} />
    </Modal>
  );
}

function SendSinceForm({ webhookId, onClose }: { readonly webhookId: number; readonly onClose: () => void }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const [since, setSince] = useState('');
  const replay = useMutationWithNotice(
    'replayDeliveries',
    ({ deliveries }) => t('sentAgain', { count: deliveries }),
    onClose,
  );
  const at = Date.parse(since);
  const { form, shown } = useForm({ since: Number.isNaN(at) && t('sinceMissing') }, () =>
    replay.mutate({ params: { id: webhookId }, body: { schoolDb, since: new Date(at).toISOString() } }),
  );
  return (
    <form {...form}>
      <Stack>
        <Text size="sm">{t('sendSinceText')}</Text>
        <TextInput
          type="datetime-local"
          label={t('since')}
          value={since}
          onChange={(event) => setSince(event.currentTarget.value)}
          error={shown.since}
          data-autofocus
        />
        <FormEnd attempt={replay} onCancel={onClose} submitLabel={t('sendAgain')} />
      </Stack>
    </form>
  );
}
