import { onlineManager, type QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** How often to check whether the server answers again. */
const retryIntervalMs = 5_000;

/** Whether the server answered the last call. Browsers know only about the device's network. */
export const connection = {
  get: () => onlineManager.isOnline(),
  subscribe: (listener: () => void) => onlineManager.subscribe(listener),
  markReachable: () => onlineManager.setOnline(true),
  markUnreachable: () => onlineManager.setOnline(false),
};

export function useConnected(): boolean {
  return useSyncExternalStore(connection.subscribe, connection.get);
}

/** Detects when the server answers again, by asking who is signed in. */
export function watchConnection(client: QueryClient): void {
  // Use the answers of the server, not the browser's events.
  onlineManager.setEventListener(() => undefined);
  const refetchMe = () => {
    const isOwnAccount = (key: unknown) => key === 'getMe' || key === 'getStudentMe';
    void client.refetchQueries({ type: 'active', predicate: ({ queryKey }) => isOwnAccount(queryKey[0]) });
  };
  const tryAgain = () => {
    if (!connection.get()) refetchMe();
  };
  // A browser event is only a reason to ask.
  addEventListener('offline', refetchMe);
  addEventListener('online', tryAgain);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') tryAgain();
  });
  setInterval(tryAgain, retryIntervalMs);
}
