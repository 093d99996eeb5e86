import { InitialPasswords } from '../access/initial-passwords.ts';
import type { Config } from '../config/config.ts';
import { AppError } from '../errors/app-error.ts';
import { resetAdminAccess } from '../features/administrators/operator-access.ts';
import { systemClock } from '../time/clock.ts';
import { openDatabase } from './open-database.ts';
import type { StopRequest } from './stop-request.ts';

/** Prints a new password and removes second factors. @returns 1 for an unknown name, 2 without a name */
export async function resetAdmin(
  config: Config,
  username: string | undefined,
  stop: StopRequest,
): Promise<number> {
  if (!username) {
    console.error('Name the administrator: reset-admin USERNAME');
    return 2;
  }
  const database = await openDatabase(config, stop.requested, 'join');
  try {
    const passwords = new InitialPasswords({
      generated: config.initialPasswordDays,
      given: config.givenPasswordDays,
    });
    const password = resetAdminAccess(database.connection.db, username, passwords, systemClock());
    console.log(`New password of ${username}: ${await stop.waitFor(password)}`);
    return 0;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    await database.close();
  }
}
