import { onlineManager, type QueryClient } from '@tanstack/react-query';
import { useStore } from '../store.ts';

/** How often to check whether the server answers again. */
const retryIntervalMs = 5_000;

/** Whether the server answered the last call. Browsers know only whether the device has a network. */
export const connection = {
  get: () => onlineManager.isOnline(),
  subscribe: (listener: () => void) => onlineManager.subscribe(listener),
  markReachable: () => onlineManager.setOnline(true),
  markUnreachable: () => onlineManager.setOnline(false),
};

export const useIsConnected = (): boolean => useStore(connection);

/** Requests the signed-in account until the server answers again. */
export function watchConnection(client: QueryClient): void {
  // Ignores the browser's "online" and "offline" here: only the results of calls change the state.
  onlineManager.setEventListener(() => undefined);
  const refetchMe = () => {
    const isOwnAccount = (key: unknown) => key === 'getMe' || key === 'getStudentMe';
    void client.refetchQueries({ type: 'active', predicate: ({ queryKey }) => isOwnAccount(queryKey[0]) });
  };
  const tryAgain = () => {
    if (!connection.get()) refetchMe();
  };
  // The browser's events only trigger a request; its result changes the state.
  addEventListener('offline', refetchMe);
  addEventListener('online', tryAgain);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') tryAgain();
  });
  setInterval(tryAgain, retryIntervalMs);
}
