/** `server/src/http/sign-in-pages.ts` sends on this channel when a window has returned from a provider. */
const channel = 'classledger-provider';

interface ProviderReference {
  readonly id: number;
  readonly schoolDb: string;
}

export function providerUrl(
  { id, schoolDb }: ProviderReference,
  as: 'admin' | 'student' | 'confirmation',
  extraQuery: Readonly<Record<string, string>> = {},
): string {
  const asking = as === 'admin' && { confirmations: '1' };
  const query = new URLSearchParams({ for: as, schoolDb, ...asking, ...extraQuery });
  return `/api/auth/sso/${id}/start?${query}`;
}

/** Opens a provider above the page, which keeps its input, and returns a function that stops waiting. */
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
