import { createStore } from '../store.ts';

let waiting: ((isConfirmed: boolean) => void)[] = [];

/** True while the person is asked to confirm their identity. */
export const confirmationState = createStore(false);

/** Asks the person to confirm their identity. Returns false if they cancelled. */
export function confirmIdentity(): Promise<boolean> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    confirmationState.set(true);
  });
}

export function endConfirmation(isConfirmed: boolean): void {
  const answered = waiting;
  waiting = [];
  confirmationState.set(false);
  for (const answer of answered) answer(isConfirmed);
}
