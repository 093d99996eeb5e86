import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../repository.ts';

/** The highest accepted exposure, times ten: systemd shows 1.5, and calls 1.0 to 4.9 "OK". */
const exposureMax = '15';

/** Lets systemd verify and rate the unit, without starting it. @throws Error if systemd rejects it */
export function testService(folder: string): void {
  const unit = join(folder, 'classledger.service');
  const text = readFileSync(join(repository, 'deploy/systemd/classledger.service'), 'utf8');
  // Names a command that exists, because systemd checks this.
  const command = join(repository, 'server/bin/classledger.js');
  writeFileSync(unit, text.replace('/usr/local/bin/classledger', command));
  const analyze = (...words: string[]) =>
    execFileSync('systemd-analyze', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  analyze('verify', '--man=no', '--recursive-errors=no', unit);
  const judged = analyze('security', '--offline=yes', `--threshold=${exposureMax}`, unit);
  console.log(`systemd: verified, not started; ${judged.trim().split('\n').at(-1)?.replace(/^→ /, '')}`);
}
