import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrationNames } from '../../../server/src/database/migrate.ts';
import { startTestServer } from '../../../server/test/test-server.ts';
import { runOldTests } from './old-tests.ts';
import { runSideBySide } from './side-by-side.ts';
import { checkOut, NoHistoryError, versionBefore } from './version-before.ts';

/** `npm run test:upgrade [-- VERSION]`: runs the previous version on today's schema (CONTRIBUTING.md, Migrations). */
async function main(asked: string | undefined): Promise<number> {
  const version = asked ?? versionBefore();
  const old = mkdtempSync(join(tmpdir(), 'classledger-upgrade-'));
  try {
    checkOut(version, old);
    console.log(`The version before is ${version}`);
    const server = await startTestServer();
    try {
      await runSideBySide(old, await server.create('side_by_side'));
      if (migratesSince(old)) await runOldTests(old, server);
      else console.log('SKIPPED: its tests on the schema of today, because no migration was added since');
    } finally {
      await server.stop();
    }
    return 0;
  } catch (error) {
    if (!(error instanceof NoHistoryError)) throw error;
    console.error(`${asked === undefined ? 'SKIPPED: ' : ''}${error.message}`);
    return asked === undefined ? 0 : 1;
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}

function migratesSince(old: string): boolean {
  const folder = join(old, 'server/src/database/migrations');
  return migrationNames.some((name) => !existsSync(join(folder, `${name}.ts`)));
}

process.exitCode = await main(process.argv[2]);
