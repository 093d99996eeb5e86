import { notifications } from '@mantine/notifications';
import { useMutationOf } from '../../../api/queries.ts';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

export function useWebhookSwitch() {
  const t = useTexts(texts);
  return useMutationOf('updateCredentialWebhook', {
    onSuccess: ({ host, active }) =>
      notifications.show({ message: t(active ? 'resumedDone' : 'pausedDone', { name: host }) }),
    onError: useFailureNotice(),
  });
}
