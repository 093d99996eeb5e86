import type { AdminSessions } from '../../access/sessions.ts';
import type { InternalHandlers } from '../../http/internal-door.ts';
import type { PasswordCheck } from './login.ts';

/** Sign-in and the own account of administrators. */
export function administratorRoutes(
  passwords: PasswordCheck,
  sessions: AdminSessions,
): Pick<InternalHandlers, 'login' | 'logout' | 'getMe' | 'changeMyPassword'> {
  return {
    login: async ({ body, ip, setSession }) => {
      const { admin, session } = await passwords.login(sessions, body.username, body.password, ip);
      setSession(session);
      return admin;
    },
    logout: async ({ session, setSession }) => {
      await sessions.close(session);
      setSession(null);
      return null;
    },
    getMe: async ({ admin }) => admin,
    changeMyPassword: async ({ admin, body, session, ip }) => {
      await passwords.change(admin, sessions, session, body, ip);
      return admin;
    },
  };
}
