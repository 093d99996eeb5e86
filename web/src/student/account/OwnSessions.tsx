import { useMutationOf, useOperationList } from '../../api/queries.ts';
import { ErrorState } from '../../components/ErrorState.tsx';
import { FailureAlert } from '../../components/FailureAlert.tsx';
import { LoadingRows } from '../../components/LoadingRows.tsx';
import { SessionList } from '../../session/SessionList.tsx';

/** Where the student is signed in. */
export function OwnSessions() {
  const sessions = useOperationList('listStudentSessions', {});
  // One that could not be ended has perhaps ended already.
  const look = { onSuccess: () => void sessions.refetch(), onError: () => void sessions.refetch() };
  const end = useMutationOf('endStudentSession', look);
  const endOthers = useMutationOf('endOtherStudentSessions', look);
  if (sessions.isPending) return <LoadingRows rows={2} height={56} />;
  if (!sessions.data) {
    return <ErrorState compact error={sessions.error} onRetry={() => void sessions.refetch()} />;
  }
  return (
    <>
      <SessionList
        sessions={sessions.data.rows}
        onEnd={(id) => end.mutate({ params: { id } })}
        onEndOthers={() => endOthers.mutate({})}
        ending={endOthers.isPending ? 'others' : end.isPending ? end.variables.params.id : null}
      />
      <FailureAlert error={end.error ?? endOthers.error} />
    </>
  );
}
