import { supportedTimeZone } from '@classledger/contract/school-day';
import { Box } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useEffect, useRef } from 'react';
import { isUnreachable } from '../api/api-failure.ts';
import { useMutationOf, useOperation } from '../api/queries.ts';
import { ErrorState, NoConnection } from '../components/ErrorState.tsx';
import { LoadingRows } from '../components/LoadingRows.tsx';
import { Logo } from '../components/Logo.tsx';
import { useTexts } from '../i18n/texts.ts';
import { SchoolTimeZone } from '../school-time/school-time.ts';
import { FirstPasswordGate } from '../session/FirstPasswordGate.tsx';
import { finishPasswordChange } from '../session/issued-password.ts';
import { SignInAgain } from '../session/SignInAgain.tsx';
import { SignInPage } from '../session/SignInPage.tsx';
import { useSession } from '../session/use-session.ts';
import { MeContext, useSignOut, useStudent } from './me.ts';
import classes from './StudentShell.module.css';
import { StudentShell } from './StudentShell.tsx';
import { texts } from './texts.ts';

const useStudentMe = (enabled: boolean) => useOperation('getStudentMe', {}, { enabled });

export function StudentApp() {
  const t = useTexts(texts);
  const { me, isExpected, hasEnded, begin } = useSession('student', useStudentMe);
  useReloadOnPersonChange(me.data?.id);
  const known = useDeferredValue(me.data);

  if (!isExpected) return <SignInPage as="student" hasEnded={hasEnded} onSignedIn={begin} />;
  // Set after the first failed attempt, although the query retries for a while.
  const failure = me.error ?? me.failureReason;
  if (!me.data && failure) {
    const retry = () => void me.refetch();
    return (
      <div className={classes.shell}>
        <header className={classes.header}>
          <Logo />
        </header>
        <main>
          {isUnreachable(failure) ? (
            <NoConnection title={t('noNetworkTitle')} hint={t('noNetworkHint')} onRetry={retry} />
          ) : (
            <ErrorState error={failure} onRetry={retry} />
          )}
        </main>
      </div>
    );
  }
  if (!known) return <Loading />;
  return (
    <MeContext value={known}>
      <OwnPasswordGate>
        <SchoolTimeZone value={supportedTimeZone(known.timeZone)}>
          <StudentShell />
        </SchoolTimeZone>
      </OwnPasswordGate>
      <SignInAgain as="student" me={known} />
    </MeContext>
  );
}

function Loading() {
  return (
    <Box maw={760} mx="auto" p="md">
      <LoadingRows />
    </Box>
  );
}

function OwnPasswordGate({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const { username, actualName, schoolName, mustChangePassword } = useStudent();
  const { signOut, isPending } = useSignOut();
  const change = useMutationOf('changeStudentPassword', {
    onSuccess: () => finishPasswordChange(client, 'getStudentMe'),
  });
  return (
    <FirstPasswordGate
      as="student"
      mustChange={mustChangePassword}
      username={username}
      name={actualName}
      own={[actualName, schoolName]}
      change={change}
      signOut={{ run: signOut, isPending }}
      fallback={<Loading />}
    >
      {children}
    </FirstPasswordGate>
  );
}

/** Reloads after another person signed in in another tab, because the page still shows the person before. */
function useReloadOnPersonChange(id: number | undefined): void {
  const first = useRef(id);
  useEffect(() => {
    first.current ??= id;
    if (id !== undefined && id !== first.current) location.reload();
  }, [id]);
}
