import { studentToken } from '../api/session-state.ts';
import { adminHint } from './admin-hint.ts';

interface Kept {
  readonly present: () => boolean;
  readonly forget: () => void;
  /** Signs out on the person's request, in all tabs. */
  readonly end: () => void;
}

/** The part of a session that the browser keeps after the page is closed. */
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
