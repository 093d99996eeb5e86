import { Box, Button } from '@mantine/core';
import { IconWifiOff } from '@tabler/icons-react';
import { NetworkFailure } from '../api/api-failure.ts';
import { useOperation } from '../api/queries.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { ErrorState } from '../components/ErrorState.tsx';
import { LoadingRows } from '../components/LoadingRows.tsx';
import { Logo } from '../components/Logo.tsx';
import { useTexts } from '../i18n/texts.ts';
import { SignInAgain } from '../session/SignInAgain.tsx';
import { SignInPage } from '../session/SignInPage.tsx';
import { useSamePerson } from '../session/use-same-person.ts';
import { useSession } from '../session/use-session.ts';
import { MeContext } from './me.ts';
import classes from './StudentShell.module.css';
import { StudentShell } from './StudentShell.tsx';
import { texts } from './texts.ts';

const useStudentMe = (enabled: boolean) => useOperation('getStudentMe', {}, { enabled });

/** The students' app: signing in, then five tabs. */
export function StudentApp() {
  const { me, isExpected, hasEnded, begin } = useSession('student', useStudentMe);
  useSamePerson(me.data?.id);

  if (!isExpected) return <SignInPage as="student" hasEnded={hasEnded} onSignedIn={begin} />;
  // Said at the first failure, for example without a network; the query itself tries on for a while.
  const failure = me.error ?? me.failureReason;
  if (!me.data && failure) {
    return (
      <div className={classes.shell}>
        <header className={classes.header}>
          <Logo />
        </header>
        <main>
          {failure instanceof NetworkFailure ? (
            <NoNetwork onRetry={() => void me.refetch()} />
          ) : (
            <ErrorState error={failure} onRetry={() => void me.refetch()} />
          )}
        </main>
      </div>
    );
  }
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

/** The app opened without a network: it keeps nothing that it could show. */
function NoNetwork({ onRetry }: { readonly onRetry: () => void }) {
  const t = useTexts(texts);
  return (
    <EmptyState
      icon={IconWifiOff}
      title={t('noNetworkTitle')}
      hint={t('noNetworkHint')}
      action={
        <Button variant="default" mt="xs" onClick={onRetry}>
          {t('retry')}
        </Button>
      }
    />
  );
}
