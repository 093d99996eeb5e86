import { studentToken } from '../api/session-state.ts';
import { adminHint } from './admin-hint.ts';

interface Kept {
  /** Whether someone may still be signed in at this browser. */
  readonly present: () => boolean;
  readonly forget: () => void;
  /** Somebody leaves of their own will: all tabs do. */
  readonly end: () => void;
}

/** What the browser keeps of a session after the page is closed. */
export const keptSession: Readonly<Record<'admin' | 'student', Kept>> = {
  admin: {
    present: adminHint.present,
    forget: adminHint.forget,
    end: () => {
      adminHint.leave();
      adminHint.forget();
    },
  },
  student: {
    present: () => studentToken.get() !== null,
    forget: studentToken.forget,
    end: studentToken.forget,
  },
};
