import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from '../pack.ts';
import { testContainer } from './container.ts';
import { testService } from './service.ts';

/** `npm run test:deploy`: tries the examples of deploy/ with the programs of this machine. */
const folder = mkdtempSync(join(tmpdir(), 'classledger-deploy-'));
const has = (program: string) => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
try {
  if (has('systemd-analyze')) testService(folder);
  else console.log('SKIPPED: the systemd unit; install the Debian package systemd');
  const isRoot = process.getuid?.() === 0;
  if (has('buildah') && isRoot) await testContainer(await pack(folder));
  else console.log('SKIPPED: the container; install the Debian package buildah, and run this as root');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
