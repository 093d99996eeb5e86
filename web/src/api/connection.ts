import { onlineManager, type QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** How often it is tried whether the server answers again. */
const triedEveryMs = 5_000;

/**
 * Whether the server answers, as the last call has found. Browsers know only whether the device has some network,
 * which may lead nowhere.
 */
export const connection = {
  get: () => onlineManager.isOnline(),
  subscribe: (listener: () => void) => onlineManager.subscribe(listener),
  /** The server has answered, whatever it said. What could not be asked for meanwhile is asked for now. */
  found: () => onlineManager.setOnline(true),
  lost: () => onlineManager.setOnline(false),
};

/** For a component: whether the server answers. */
export function useConnected(): boolean {
  return useSyncExternalStore(connection.subscribe, connection.get);
}

/** Notices when the server answers again, by asking who is signed in. */
export function watchConnection(client: QueryClient): void {
  // Answers tell, and not the browser.
  onlineManager.setEventListener(() => undefined);
  const ask = () => {
    const isWho = (key: unknown) => key === 'getMe' || key === 'getStudentMe';
    void client.refetchQueries({ type: 'active', predicate: ({ queryKey }) => isWho(queryKey[0]) });
  };
  const tryAgain = () => {
    if (!connection.get()) ask();
  };
  // The browser's word is a reason to ask, no more.
  addEventListener('offline', ask);
  addEventListener('online', tryAgain);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') tryAgain();
  });
  setInterval(tryAgain, triedEveryMs);
}
