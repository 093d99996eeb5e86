import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../errors/config-error.ts';

/**
 * Returns the setting or the secret in `secret.key`, which only one of several processes creates. @throws ConfigError
 */
export function installationSecret(setting: string | null, folder: string): string {
  if (setting !== null) return setting;
  const file = join(folder, 'secret.key');
  let secret: string;
  try {
    secret = readSecretFile(file) ?? createSecretFile(folder, file);
  } catch (error) {
    const reason = (error as Error).message;
    throw new ConfigError(
      `The secret of the installation cannot be read or created (${reason}): set SECRET_KEY, or set DATA_DIR to a folder that this user can write to`,
    );
  }
  if (secret.length < 32) {
    throw new ConfigError(`${file} holds no secret of the installation: restore it from a backup`);
  }
  return secret;
}

function readSecretFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function createSecretFile(folder: string, file: string): string {
  mkdirSync(folder, { recursive: true });
  const draft = `${file}.${process.pid}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
}
