import { OlderClusterError } from '@classledger/embedded-postgres';
import type { Config } from '../config.ts';

/**
 * Opens the database in some way. An embedded one of an older major version of PostgreSQL is upgraded before that.
 *
 * @throws what `open` throws; DatabaseUnusableError or the reason of the abort where the upgrade fails
 */
export async function upgradedFirst<T>(
  config: Config,
  stop: AbortSignal,
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof Error && error.cause instanceof OlderClusterError)) throw error;
    const { upgrade } = await import('./upgrade-database.ts');
    await upgrade(config, error.cause.major, stop);
    return open();
  }
}
