import { Box } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { hasStatus } from '../api/api-failure.ts';
import { useOperation } from '../api/queries.ts';
import { signedIn, studentToken } from '../api/session-state.ts';
import { ErrorState } from '../components/ErrorState.tsx';
import { LoadingRows } from '../components/LoadingRows.tsx';
import { SignInAgain } from '../session/SignInAgain.tsx';
import { SignInPage } from '../session/SignInPage.tsx';
import { useSamePerson } from '../session/use-same-person.ts';
import { MeContext } from './me.ts';
import { StudentShell } from './StudentShell.tsx';

/** The students' app: signing in, then five tabs. */
export function StudentApp() {
  const client = useQueryClient();
  const [hasToken, setHasToken] = useState(() => studentToken.get() !== null);
  const [hasEnded, setHasEnded] = useState(false);
  const me = useOperation('getStudentMe', {}, { enabled: hasToken });
  const signIn = () => {
    client.clear();
    setHasToken(true);
  };
  useSamePerson(me.data?.id);
  useEffect(() => {
    if (me.data) signedIn();
  }, [me.data]);
  const ended = hasStatus(me.error, 401) && !me.data;
  useEffect(() => {
    if (!ended) return;
    studentToken.forget();
    setHasToken(false);
    setHasEnded(true);
  }, [ended]);

  if (!hasToken || ended) return <SignInPage as="student" hasEnded={hasEnded} onSignedIn={signIn} />;
  // Said at the first failure, for example without a network; the query itself tries on for a while.
  const failure = me.error ?? me.failureReason;
  if (!me.data && failure) return <ErrorState error={failure} onRetry={() => void me.refetch()} />;
  if (!me.data) {
    return (
      <Box maw={760} mx="auto" p="md">
        <LoadingRows />
      </Box>
    );
  }
  return (
    <MeContext value={me.data}>
      <StudentShell />
      <SignInAgain as="student" me={me.data} />
    </MeContext>
  );
}
