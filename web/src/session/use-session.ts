import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { hasStatus } from '../api/api-failure.ts';
import { dropEarlyRequests } from '../api/early-requests.ts';
import { recordSignIn } from '../api/session-state.ts';
import { storedSession } from './stored-session.ts';

export function useSession<Me>(as: 'admin' | 'student', useMe: (enabled: boolean) => UseQueryResult<Me>) {
  const client = useQueryClient();
  const [expected, setExpected] = useState(storedSession[as].isPresent);
  const [hasEnded, setHasEnded] = useState(false);
  const me = useMe(expected);
  useEffect(() => {
    if (me.data) recordSignIn();
  }, [me.data]);
  const ended = hasStatus(me.error, 401) && !me.data;
  useEffect(() => {
    if (!ended) return;
    storedSession[as].forget();
    setExpected(false);
    setHasEnded(true);
  }, [ended, as]);
  const begin = () => {
    client.clear();
    dropEarlyRequests();
    setExpected(true);
  };
  return { me, isExpected: expected && !ended, hasEnded, begin };
}
