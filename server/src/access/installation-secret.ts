import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The secret of the installation: the setting, or what stands in `secret.key` of the data folder. The file is made when
 * it is first needed. Processes that share the folder agree on one, because a name is linked once, to a whole file.
 *
 * @throws Error when the file cannot be read or made, or holds no secret
 */
export function installationSecret(setting: string | null, folder: string): string {
  if (setting !== null) return setting;
  const file = join(folder, 'secret.key');
  const secret = read(file) ?? make(folder, file);
  if (secret.length < 32) throw new Error(`${file} holds no secret; restore it from a backup`);
  return secret;
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function make(folder: string, file: string): string {
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
