import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../repository.ts';

/** Ten times the exposure that systemd computes; below 20 it speaks of "OK". */
const exposureMax = '15';

/**
 * Lets systemd read the unit and judge how much it leaves open. The service itself needs a running systemd.
 *
 * @throws Error when systemd finds fault with it
 */
export function tryService(folder: string): void {
  const unit = join(folder, 'classledger.service');
  const text = readFileSync(join(repository, 'deploy/systemd/classledger.service'), 'utf8');
  // systemd looks whether the command is there.
  const command = join(repository, 'server/bin/classledger.js');
  writeFileSync(unit, text.replace('/usr/local/bin/classledger', command));
  const analyze = (...words: string[]) =>
    execFileSync('systemd-analyze', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  analyze('verify', '--man=no', '--recursive-errors=no', unit);
  const judged = analyze('security', '--offline=yes', `--threshold=${exposureMax}`, unit);
  console.log(`systemd: verified, not started; ${judged.trim().split('\n').at(-1)?.replace(/^→ /, '')}`);
}
