import { useEffect, useRef } from 'react';
import type { DataOf } from '../api/operation-types.ts';

/** `server/src/http/sign-in-pages.ts` sends a message here when the window returns from a sign-in service. */
const channel = 'classledger-provider';

export type Provider = DataOf<'listSignInChoices'>['providers'][number];

export function providerUrl(
  { id, schoolDb }: Provider,
  as: 'admin' | 'student' | 'confirmation',
  extraQuery: Readonly<Record<string, string>> = {},
): string {
  const asking = as === 'admin' && { confirmations: '1' };
  const query = new URLSearchParams({ for: as, schoolDb, ...asking, ...extraQuery });
  return `/api/auth/sso/${id}/start?${query}`;
}

/** Returns a function that opens a sign-in service in a window, so that the page keeps its input, and waits for it. */
export function useProviderWindow(): (address: string, onDone: () => void) => void {
  const listener = useRef<BroadcastChannel>(null);
  useEffect(() => () => listener.current?.close(), []);
  return (address, onDone) => {
    listener.current?.close();
    const opened = new BroadcastChannel(channel);
    listener.current = opened;
    opened.onmessage = () => {
      opened.close();
      onDone();
    };
    open(address, 'classledger-provider', 'popup,width=520,height=680');
  };
}
