import { notifications } from '@mantine/notifications';
import { hasStatus } from '../../../api/api-failure.ts';
import { useMutationOf, useOperationList } from '../../../api/queries.ts';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { SessionList } from '../../../session/SessionList.tsx';
import { texts } from './texts.ts';

/** Where the administrator is signed in. */
export function OwnSessions() {
  const t = useTexts(texts);
  const sessions = useOperationList('listSessions', {});
  const notice = useFailureNotice();
  const end = useMutationOf('endSession', {
    onSuccess: () => notifications.show({ message: t('ended') }),
    onError: (error) => {
      // It has ended already, as it should.
      if (hasStatus(error, 404)) void sessions.refetch();
      else notice(error);
    },
  });
  const endOthers = useMutationOf('endOtherSessions', {
    onSuccess: ({ ended }) => notifications.show({ message: t('endedOthers', { count: ended }) }),
    onError: notice,
  });
  if (sessions.isPending) return <LoadingRows rows={2} height={56} />;
  if (!sessions.data) {
    return <ErrorState compact error={sessions.error} onRetry={() => void sessions.refetch()} />;
  }
  return (
    <SessionList
      sessions={sessions.data.rows}
      onEnd={(id) => end.mutate({ params: { id } })}
      onEndOthers={() => endOthers.mutate({})}
      ending={endOthers.isPending ? 'others' : end.isPending ? end.variables.params.id : null}
    />
  );
}
