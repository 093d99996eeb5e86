import { useQueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, type ReactNode, useEffect, useState } from 'react';
import { factorMissing } from '../api/call.ts';
import { keyOf, useMutationOf, useOperation } from '../api/queries.ts';
import { ErrorState } from '../components/ErrorState.tsx';
import { LazyPart } from '../components/LazyPart.tsx';
import { AfterFirstPassword } from '../session/AfterFirstPassword.tsx';
import { ConfirmIdentity } from '../session/ConfirmIdentity.tsx';
import { ownPasswordChosen } from '../session/issued-password.ts';
import { SignInAgain } from '../session/SignInAgain.tsx';
import { SignInPage } from '../session/SignInPage.tsx';
import { useSession } from '../session/use-session.ts';
import { loadAhead } from './load-ahead.ts';
import { MeContext, useMe } from './me.ts';
import { router } from './router.ts';
import { PageLoading } from './shell/PageLoading.tsx';
import { useSignOut } from './use-sign-out.tsx';

const FactorFirst = lazy(async () => ({
  default: (await import('./access/factors/FactorFirst.tsx')).FactorFirst,
}));

const useAdminMe = (enabled: boolean) => useOperation('getMe', {}, { enabled });

/** The administrators' app: signing in, then the pages. */
export function AdminApp() {
  const client = useQueryClient();
  const { me, isExpected, hasEnded, begin } = useSession('admin', useAdminMe);
  useEffect(() => {
    if (isExpected) loadAhead(client);
  }, [isExpected, client]);

  useEffect(() => {
    // The role has come to need one: who asks again is told so.
    const askAgain = () => void client.invalidateQueries({ queryKey: keyOf('getMe') });
    addEventListener(factorMissing, askAgain);
    return () => removeEventListener(factorMissing, askAgain);
  }, [client]);

  if (!isExpected) return <SignInPage as="admin" hasEnded={hasEnded} onSignedIn={begin} />;
  if (me.isPending) return <PageLoading />;
  if (!me.data) return <ErrorState error={me.error} onRetry={() => void me.refetch()} />;
  return (
    <MeContext value={me.data}>
      <OwnPasswordFirst>
        <FactorGate>
          <RouterProvider router={router} />
        </FactorGate>
      </OwnPasswordFirst>
      <ConfirmIdentity username={me.data.username} schoolId={me.data.schoolId} />
      <SignInAgain as="admin" me={me.data} />
    </MeContext>
  );
}

/** The pages, for who has the second factor that the role needs. */
function FactorGate({ children }: { readonly children: ReactNode }) {
  const { mustSetUpFactor } = useMe();
  // Open until the codes that come with the first factor are saved.
  const [isSettingUp, setSettingUp] = useState(mustSetUpFactor);
  if (mustSetUpFactor && !isSettingUp) setSettingUp(true);
  if (!isSettingUp) return children;
  return (
    <LazyPart fallback={<PageLoading />}>
      <FactorFirst onDone={() => setSettingUp(false)} />
    </LazyPart>
  );
}

/** The pages, for who no longer has a password that somebody else gave out. */
function OwnPasswordFirst({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const { username, schoolId, mustChangePassword } = useMe();
  const schools = useOperation('listSchools', {}, { enabled: mustChangePassword });
  const school = schools.data?.find(({ id }) => id === schoolId);
  const { signOutAtOnce, pending } = useSignOut();
  const change = useMutationOf('changeMyPassword', { onSuccess: () => ownPasswordChosen(client, 'getMe') });
  return (
    <AfterFirstPassword
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
    </AfterFirstPassword>
  );
}
