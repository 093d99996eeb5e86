import { createStore } from '../store.ts';

let question: PromiseWithResolvers<boolean> | null = null;

/** True while the person is asked to confirm their identity. */
export const confirmationState = createStore(false);

/** Asks the person to confirm their identity. Returns false if they cancelled. */
export function confirmIdentity(): Promise<boolean> {
  question ??= Promise.withResolvers();
  confirmationState.set(true);
  return question.promise;
}

export function endConfirmation(isConfirmed: boolean): void {
  const answered = question;
  question = null;
  confirmationState.set(false);
  answered?.resolve(isConfirmed);
}
