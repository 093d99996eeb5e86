import { notifications } from '@mantine/notifications';
import { hasStatus } from '../../../api/api-failure.ts';
import { useMutationOf, useOperationList } from '../../../api/queries.ts';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { SessionList } from '../../../session/SessionList.tsx';
import { texts } from './texts.ts';

export function OwnSessions() {
  const t = useTexts(texts);
  const sessions = useOperationList('listSessions', {});
  const notice = useFailureNotice();
  const end = useMutationOf('endSession', {
    onSuccess: () => notifications.show({ message: t('ended') }),
    onError: (error) => {
      if (hasStatus(error, 404)) void sessions.refetch();
      else notice(error);
    },
  });
  const endOthers = useMutationOf('endOtherSessions', {
    onSuccess: ({ ended }) => notifications.show({ message: t('endedOthers', { count: ended }) }),
    onError: notice,
  });
  return <SessionList sessions={sessions} end={end} endOthers={endOthers} />;
}
