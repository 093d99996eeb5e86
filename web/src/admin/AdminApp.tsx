import { type UseQueryResult, useIsMutating } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useOperation } from '../api/queries.ts';
import { SignInPage } from '../session/SignInPage.tsx';
import { useSession } from '../session/use-session.ts';
import type { Me } from './me.ts';
import { PageLoading } from './shell/PageLoading.tsx';
import { signedInPart } from './signed-in-part.ts';

const useAdminMe = (enabled: boolean) => useOperation('getMe', {}, { enabled });

/** The administrators' app: signing in, then the pages. */
export function AdminApp() {
  const { me, isExpected, hasEnded, begin } = useSession('admin', useAdminMe);
  // Run while the server looks at the password: afterwards it would be waited for.
  const isSigningIn = useIsMutating() > 0;
  useEffect(() => {
    if (isSigningIn) signedInPart.load().catch(() => undefined);
  }, [isSigningIn]);
  if (!isExpected) return <SignInPage as="admin" hasEnded={hasEnded} onSignedIn={begin} />;
  return <Inside me={me} />;
}

/** Not a lazy component: React lets a placeholder stand for at least 300 ms, also where the part is there already. */
function Inside({ me }: { readonly me: UseQueryResult<Me> }) {
  const [part, setPart] = useState(signedInPart.get);
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => {
    signedInPart.load().then(setPart, setFailure);
  }, []);
  if (failure) throw failure;
  return part ? <part.SignedIn me={me} /> : <PageLoading />;
}
