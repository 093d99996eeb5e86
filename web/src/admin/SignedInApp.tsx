import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';
import { type QueryClient, type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, type ReactNode, useEffect, useState } from 'react';
import { isUnreachable } from '../api/api-failure.ts';
import { secondFactorMissingEvent } from '../api/call.ts';
import { queryKeyOf, useMutationOf, useOperation } from '../api/queries.ts';
import { pageAdmin } from '../api/session-state.ts';
import { LazyBoundary } from '../components/ErrorBoundary.tsx';
import { ErrorState, NoConnection } from '../components/ErrorState.tsx';
import { PageLoading } from '../components/LoadingRows.tsx';
import { useTexts } from '../i18n/texts.ts';
import { registerServiceWorker } from '../register-service-worker.ts';
import { adminHint } from '../session/admin-hint.ts';
import { ConfirmIdentity } from '../session/ConfirmIdentity.tsx';
import { FirstPasswordGate } from '../session/FirstPasswordGate.tsx';
import { finishPasswordChange } from '../session/issued-password.ts';
import { offlineAnswers } from '../session/offline-answers.ts';
import { SignInAgain } from '../session/SignInAgain.tsx';
import { sharedComputer } from '../session/stored-session.ts';
import { type Me, MeContext, useMe } from './me.ts';
import { prefetchFirstPage } from './prefetch-first-page.ts';
import { router } from './router.ts';
import { texts } from './shell/texts.ts';
import { storedRuns } from './stored-runs.ts';
import { useOwnSession } from './use-own-session.ts';
import { useSignOut } from './use-sign-out.tsx';

const RequiredFactorSetup = lazy(() => import('./access/factors/SecondFactor.tsx'));

/** Delays the service worker, so that the requested page loads first. */
const serviceWorkerDelayMs = 3_000;

/** Loaded by `signed-in-chunk.ts`. `me` may still be pending. */
export function SignedInApp({ me }: { readonly me: UseQueryResult<Me> }) {
  const client = useQueryClient();
  useEffect(() => prefetchFirstPage(client), [client]);

  useEffect(() => {
    // Fetches `getMe` again, which says that the role now requires a second factor.
    const askAgain = () => void client.invalidateQueries({ queryKey: queryKeyOf('getMe') });
    addEventListener(secondFactorMissingEvent, askAgain);
    return () => removeEventListener(secondFactorMissingEvent, askAgain);
  }, [client]);

  // Set after the first failed attempt, although the query goes on retrying.
  const isOffline = !me.data && isUnreachable(me.error ?? me.failureReason);
  useEffect(() => {
    if (isOffline) restoreOfflineAnswers(client);
  }, [isOffline, client]);
  const id = me.data?.id;
  const isKnown = id !== undefined;
  useEffect(() => {
    if (!isKnown) return;
    const timer = setTimeout(() => registerServiceWorker('admin'), serviceWorkerDelayMs);
    return () => clearTimeout(timer);
  }, [isKnown]);
  useEffect(() => {
    if (id !== undefined) storedRuns.clearOfOthers(id);
  }, [id]);
  if (!useOwnSession()) return null;
  return (
    <>
      <Notifications
        position="bottom-center"
        mb={{ base: 'calc(60px + env(safe-area-inset-bottom))', md: 0 }}
      />
      <SignedInPages me={me} isOffline={isOffline} />
    </>
  );
}

function SignedInPages({ me, isOffline }: { readonly me: UseQueryResult<Me>; readonly isOffline: boolean }) {
  const t = useTexts(texts);
  const retry = () => void me.refetch();
  if (isOffline) {
    return (
      <main>
        <NoConnection title={t('offlineTitle')} hint={t('offlineHint')} onRetry={retry} />
      </main>
    );
  }
  if (me.isPending) return <PageLoading />;
  if (!me.data) return <ErrorState error={me.error} onRetry={retry} />;
  return (
    <MeContext value={me.data}>
      <OwnPasswordGate>
        <FactorGate>
          <RouterProvider router={router} />
        </FactorGate>
      </OwnPasswordGate>
      <ConfirmIdentity username={me.data.username} schoolId={me.data.schoolId} />
      <SignInAgain as="admin" me={me.data} />
    </MeContext>
  );
}

/** Restores the kept answers of the administrator who signed in here. All calls then carry that administrator's id. */
function restoreOfflineAnswers(client: QueryClient): void {
  const adminId = sharedComputer.get() ? null : offlineAnswers.restore(client, adminHint.ownMark());
  if (adminId !== null) pageAdmin.setOnce(adminId);
}

function FactorGate({ children }: { readonly children: ReactNode }) {
  const { mustSetUpFactor } = useMe();
  // Stays open until the person has saved the recovery codes, which come with the first factor.
  const [isSettingUp, setSettingUp] = useState(mustSetUpFactor);
  if (mustSetUpFactor && !isSettingUp) setSettingUp(true);
  if (!isSettingUp) return children;
  return (
    <LazyBoundary fallback={<PageLoading />}>
      <RequiredFactorSetup onDone={() => setSettingUp(false)} />
    </LazyBoundary>
  );
}

function OwnPasswordGate({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const { username, schoolId, mustChangePassword } = useMe();
  const schools = useOperation('listSchools', {}, { enabled: mustChangePassword });
  const school = schools.data?.find(({ id }) => id === schoolId);
  const { signOutAtOnce, pending } = useSignOut();
  const change = useMutationOf('changeMyPassword', {
    onSuccess: () => finishPasswordChange(client, 'getMe'),
  });
  return (
    <FirstPasswordGate
      as="admin"
      mustChange={mustChangePassword}
      username={username}
      name={null}
      own={school ? [school.name] : []}
      change={change}
      signOut={{ run: signOutAtOnce, isPending: pending }}
      fallback={<PageLoading />}
    >
      {children}
    </FirstPasswordGate>
  );
}

export { prefetchFirstPage };
