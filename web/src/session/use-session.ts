import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { dropAhead } from '../api/ahead.ts';
import { hasStatus } from '../api/api-failure.ts';
import { signedIn } from '../api/session-state.ts';
import { keptSession } from './kept-session.ts';

interface Session<Me> {
  /** Who is signed in; asked for only where someone may be. */
  readonly me: UseQueryResult<Me>;
  /** False: no one is signed in, and the way in is to be shown. */
  readonly isExpected: boolean;
  /** Someone was signed in here, and is no more. */
  readonly hasEnded: boolean;
  /** Someone has signed in. */
  readonly begin: () => void;
}

/**
 * Whose page this is, from opening it or signing in on. A session that ends later is renewed over the page that
 * stands then.
 */
export function useSession<Me>(
  as: 'admin' | 'student',
  useMe: (enabled: boolean) => UseQueryResult<Me>,
): Session<Me> {
  const client = useQueryClient();
  const [expected, setExpected] = useState(keptSession[as].present);
  const [hasEnded, setHasEnded] = useState(false);
  const me = useMe(expected);
  useEffect(() => {
    if (me.data) signedIn();
  }, [me.data]);
  const ended = hasStatus(me.error, 401) && !me.data;
  useEffect(() => {
    if (!ended) return;
    keptSession[as].forget();
    setExpected(false);
    setHasEnded(true);
  }, [ended, as]);
  const begin = () => {
    client.clear();
    dropAhead();
    setExpected(true);
  };
  return { me, isExpected: expected && !ended, hasEnded, begin };
}
