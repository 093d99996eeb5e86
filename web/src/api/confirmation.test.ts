import { expect, it } from 'vitest';
import { confirmationState, confirmIdentity, endConfirmation } from './confirmation.ts';

it.each([true, false])(
  'calls that wait for a confirmation share one dialog and its result: %s',
  async (answer) => {
    let asked = 0;
    const unsubscribe = confirmationState.subscribe(() => {
      if (confirmationState.get()) asked += 1;
    });
    const calls = [confirmIdentity(), confirmIdentity()];
    expect([confirmationState.get(), asked]).toEqual([true, 1]);
    endConfirmation(answer);
    expect(confirmationState.get()).toBe(false);
    expect(await Promise.all(calls)).toEqual([answer, answer]);
    unsubscribe();
  },
);
