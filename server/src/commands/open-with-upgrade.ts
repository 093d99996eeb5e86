import { OlderClusterError } from '@classledger/embedded-postgres';
import type { Config } from '../config/config.ts';

/** Opens the database and first upgrades an older embedded one. @throws the error of `open`, DatabaseUnusableError */
export async function openWithUpgrade<T>(
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
