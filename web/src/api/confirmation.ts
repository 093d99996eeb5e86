/** The calls that wait until the person has confirmed who they are: one question for all of them. */

let waiting: ((isConfirmed: boolean) => void)[] = [];
const listeners = new Set<() => void>();

const tell = () => {
  for (const listener of listeners) listener();
};

/** For useSyncExternalStore: whether the person is asked. */
export const confirmationState = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: () => waiting.length > 0,
};

/**
 * Waits until the person has confirmed who they are.
 *
 * @returns false where they did not want to
 */
export function confirmIdentity(): Promise<boolean> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    tell();
  });
}

/** Says how the question ended; calls that waited for it are repeated, or fail. */
export function endConfirmation(isConfirmed: boolean): void {
  const answered = waiting;
  waiting = [];
  tell();
  for (const answer of answered) answer(isConfirmed);
}
