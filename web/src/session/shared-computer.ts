import { offlineAnswers } from './offline-answers.ts';

const key = 'classledger.shared-computer';

/** Whether other people use this computer too, as the person said at the last sign-in. */
export const sharedComputer = {
  get: () => localStorage.getItem(key) !== null,
  keep: (isShared: boolean) => {
    if (isShared) {
      localStorage.setItem(key, '1');
      offlineAnswers.clear();
    } else localStorage.removeItem(key);
  },
};
