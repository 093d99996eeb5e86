import { useQueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useOperation } from '../api/queries.ts';
import { ErrorState } from '../components/ErrorState.tsx';
import { ConfirmIdentity } from '../session/ConfirmIdentity.tsx';
import { SignInAgain } from '../session/SignInAgain.tsx';
import { SignInPage } from '../session/SignInPage.tsx';
import { useSession } from '../session/use-session.ts';
import { loadAhead } from './load-ahead.ts';
import { MeContext } from './me.ts';
import { router } from './router.ts';
import { PageLoading } from './shell/PageLoading.tsx';

const useAdminMe = (enabled: boolean) => useOperation('getMe', {}, { enabled });

/** The administrators' app: signing in, then the pages. */
export function AdminApp() {
  const client = useQueryClient();
  const { me, isExpected, hasEnded, begin } = useSession('admin', useAdminMe);
  useEffect(() => {
    if (isExpected) loadAhead(client);
  }, [isExpected, client]);

  if (!isExpected) return <SignInPage as="admin" hasEnded={hasEnded} onSignedIn={begin} />;
  if (me.isPending) return <PageLoading />;
  if (!me.data) return <ErrorState error={me.error} onRetry={() => void me.refetch()} />;
  return (
    <MeContext value={me.data}>
      <RouterProvider router={router} />
      <ConfirmIdentity username={me.data.username} />
      <SignInAgain as="admin" me={me.data} />
    </MeContext>
  );
}
