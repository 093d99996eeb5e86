/** What `server/src/http/sign-in-pages.ts` tells when a window has come back from a provider. */
const channel = 'classledger-provider';

interface Way {
  readonly id: number;
  readonly schoolDb: string;
}

/** Where a browser is sent to a provider. */
export function addressOfProvider(
  { id, schoolDb }: Way,
  as: 'admin' | 'student' | 'confirmation',
  more: Readonly<Record<string, string>> = {},
): string {
  const asking = as === 'admin' && { confirmations: '1' };
  const query = new URLSearchParams({ for: as, schoolDb, ...asking, ...more });
  return `/api/auth/sso/${id}/start?${query}`;
}

/**
 * Opens a provider in a window above the page, so that nothing typed below is lost.
 *
 * @param onDone called when the person has come back
 * @returns gives up waiting
 */
export function openProviderWindow(address: string, onDone: () => void): () => void {
  const listener = new BroadcastChannel(channel);
  const stop = () => listener.close();
  listener.onmessage = () => {
    stop();
    onDone();
  };
  open(address, 'classledger-provider', 'popup,width=520,height=680');
  return stop;
}
