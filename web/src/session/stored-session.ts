import { studentToken } from '../api/session-state.ts';
import { adminHint } from './admin-hint.ts';
import { offlineAnswers } from './offline-answers.ts';

/** Handles the traces of a session that the browser keeps after the page is closed. */
export const storedSession = {
  admin: {
    isPresent: adminHint.isPresent,
    forget: adminHint.forget,
    /** Ends the session in all tabs because the person asked for it. */
    signOut: () => {
      adminHint.markLeaving();
      adminHint.forget();
    },
  },
  student: {
    isPresent: () => studentToken.get() !== null,
    forget: studentToken.forget,
    signOut: studentToken.forget,
  },
};

const sharedKey = 'classledger.shared-computer';

/** Whether other people use this computer too, as the person said at the last sign-in. */
export const sharedComputer = {
  get: () => localStorage.getItem(sharedKey) !== null,
  keep: (isShared: boolean) => {
    if (isShared) {
      localStorage.setItem(sharedKey, '1');
      offlineAnswers.clear();
    } else localStorage.removeItem(sharedKey);
  },
};
