import { useMutationOf, useOperationList } from '../../api/queries.ts';
import { FailureAlert } from '../../components/FailureAlert.tsx';
import { SessionList } from '../../session/SessionList.tsx';

export function OwnSessions() {
  const sessions = useOperationList('listStudentSessions', {});
  // Refetches after errors too, because the session may already have ended.
  const look = { onSuccess: () => void sessions.refetch(), onError: () => void sessions.refetch() };
  const end = useMutationOf('endStudentSession', look);
  const endOthers = useMutationOf('endOtherStudentSessions', look);
  return (
    <>
      <SessionList sessions={sessions} end={end} endOthers={endOthers} />
      <FailureAlert error={end.error ?? endOthers.error} />
    </>
  );
}
