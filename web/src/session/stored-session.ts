import { studentToken } from '../api/session-state.ts';
import { adminHint } from './admin-hint.ts';

interface StoredSession {
  readonly isPresent: () => boolean;
  readonly forget: () => void;
  /** Ends the session in all tabs because the person asked for it. */
  readonly signOut: () => void;
}

/** Handles the traces of a session that the browser keeps after the page is closed. */
export const storedSession: Readonly<Record<'admin' | 'student', StoredSession>> = {
  admin: {
    isPresent: adminHint.isPresent,
    forget: adminHint.forget,
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
