import { type UseQueryResult, useIsMutating } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useOperation } from '../api/queries.ts';
import { PageLoading } from '../components/LoadingRows.tsx';
import { SignInPage } from '../session/SignInPage.tsx';
import { useSession } from '../session/use-session.ts';
import type { Me } from './me.ts';
import { signedInChunk } from './signed-in-chunk.ts';

const useAdminMe = (enabled: boolean) => useOperation('getMe', {}, { enabled });

export function AdminApp() {
  const { me, isExpected, hasEnded, begin } = useSession('admin', useAdminMe);
  // Loads the code while the server checks the password, so that the person need not wait for it afterwards.
  const isSigningIn = useIsMutating() > 0;
  useEffect(() => {
    if (isSigningIn) signedInChunk.load().catch(() => undefined);
  }, [isSigningIn]);
  if (!isExpected) return <SignInPage as="admin" hasEnded={hasEnded} onSignedIn={begin} />;
  return <SignedInPart me={me} />;
}

/** Loads the code without `lazy`, because React would show a placeholder for 300 ms even if the code is loaded. */
function SignedInPart({ me }: { readonly me: UseQueryResult<Me> }) {
  const [part, setPart] = useState(signedInChunk.get);
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => {
    signedInChunk.load().then(setPart, setFailure);
  }, []);
  if (failure) throw failure;
  return part ? <part.SignedInApp me={me} /> : <PageLoading />;
}
