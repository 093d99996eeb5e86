import { useQueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { hasStatus } from '../api/api-failure.ts';
import { useOperation } from '../api/queries.ts';
import { signedIn } from '../api/session-state.ts';
import { ErrorState } from '../components/ErrorState.tsx';
import { adminHint } from '../session/admin-hint.ts';
import { SignInAgain } from '../session/SignInAgain.tsx';
import { SignInPage } from '../session/SignInPage.tsx';
import { loadAhead } from './load-ahead.ts';
import { MeContext } from './me.ts';
import { router } from './router.ts';
import { PageLoading } from './shell/PageLoading.tsx';

/** The administrators' app: signing in, then the pages. */
export function AdminApp() {
  const client = useQueryClient();
  const [expected, setExpected] = useState(adminHint.present);
  const [hasEnded, setHasEnded] = useState(false);
  const me = useOperation('getMe', {}, { enabled: expected });
  const signIn = () => {
    client.clear();
    setExpected(true);
  };
  useEffect(() => {
    if (expected) loadAhead(client);
  }, [expected, client]);
  useEffect(() => {
    if (me.data) signedIn();
  }, [me.data]);
  const ended = hasStatus(me.error, 401) && !me.data;
  useEffect(() => {
    if (!ended) return;
    adminHint.forget();
    setExpected(false);
    setHasEnded(true);
  }, [ended]);

  if (!expected || ended) return <SignInPage as="admin" hasEnded={hasEnded} onSignedIn={signIn} />;
  if (me.isPending) return <PageLoading />;
  if (!me.data) return <ErrorState error={me.error} onRetry={() => void me.refetch()} />;
  return (
    <MeContext value={me.data}>
      <RouterProvider router={router} />
      <SignInAgain as="admin" me={me.data} />
    </MeContext>
  );
}
