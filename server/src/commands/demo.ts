import { type Config, readConfig } from '../config/config.ts';
import { ensureDemo, formatLogins } from '../demo/demo.ts';
import { superAdminPassword } from '../demo/logins.ts';
import { systemClock } from '../time/clock.ts';
import { serve } from './serve.ts';
import type { StopRequest } from './stop-request.ts';

const defaultFolder = './data-demo';

export function serveDemo(
  env: Readonly<Record<string, string | undefined>>,
  stop: StopRequest,
): Promise<number> {
  const config = demoConfig(env);
  const superAdmin = {
    username: config.adminUsername,
    password: env.ADMIN_PASSWORD ? null : superAdminPassword,
  };
  return serve(config, stop, async ({ connection }, address) =>
    formatLogins(await ensureDemo(connection.db, config, systemClock()), address, superAdmin),
  );
}

function demoConfig(env: Readonly<Record<string, string | undefined>>): Config {
  return readConfig({
    ...env,
    DATA_DIR: env.DATA_DIR?.trim() || defaultFolder,
    ADMIN_PASSWORD: env.ADMIN_PASSWORD || superAdminPassword,
    // Demonstration data needs no backup.
    BACKUP_KEEP: env.BACKUP_KEEP?.trim() || '0',
    // Logs only warnings, because other lines would hide the logins in the terminal.
    LOG_LEVEL: env.LOG_LEVEL?.trim() || 'warn',
    LOG_FORMAT: env.LOG_FORMAT?.trim() || 'pretty',
  });
}
