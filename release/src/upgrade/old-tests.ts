import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectDatabase } from '../../../server/src/database/connect.ts';
import { migrateToLatest } from '../../../server/src/database/migrate.ts';
import type { TestServer } from '../../../server/test/test-server.ts';

/** Tests that use only the APIs. Tests of tables, processes and races do not fit here. */
const chosen = [
  'server/src/features/administrators/manage-administrators.test.ts',
  'server/src/features/credentials/credentials.test.ts',
  'server/src/features/schools/schools.test.ts',
  'server/src/features/scores/revoke-score.test.ts',
  'server/src/features/scores/write-scores.test.ts',
  'server/src/features/seats/seats.test.ts',
  'server/src/features/structure/structure.test.ts',
  'server/src/features/students/students.test.ts',
  'server/src/features/terms/switch-term.test.ts',
  'server/src/idempotency/idempotency.test.ts',
];

/** Names of tests that fail on a newer schema. */
const outdated = [
  // Fails because it counts the rows of all tables, including later ones.
  'removes all its data and nothing of another',
  // Fails because the previous version cannot delete days.
  'is kept for 24 hours and works again afterwards',
];

const template = 'classledger_template';

const config = `
import config from './vitest.config.ts';
config.test.globalSetup = ['./upgrade-setup.ts'];
export default config;
`;
const setup = `
export default function setup(project) {
  project.provide('postgres', JSON.parse(process.env.UPGRADE_POSTGRES));
}
`;

export async function runOldTests(old: string, server: TestServer): Promise<void> {
  const connectionString = await server.create(template);
  const database = connectDatabase({ connectionString });
  await migrateToLatest(database.db);
  await database.end();
  writeFileSync(join(old, 'vitest.upgrade.config.ts'), config);
  writeFileSync(join(old, 'upgrade-setup.ts'), setup);
  const files = chosen.filter((file) => existsSync(join(old, file)));
  if (files.length < chosen.length / 2) throw new Error('Most of the chosen tests have moved: choose anew');
  const vitest = join(old, 'node_modules/vitest/vitest.mjs');
  const names = `^(?!.*(${outdated.join('|')}))`;
  // One worker loads the server's modules once.
  const options = ['--config', 'vitest.upgrade.config.ts', '--maxWorkers', '1', '--testNamePattern', names];
  const args = [vitest, 'run', ...options, ...files];
  const child = spawn(process.execPath, args, {
    cwd: old,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', UPGRADE_POSTGRES: JSON.stringify(server.address) },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) {
    console.error(printed);
    throw new Error('The version before does not work on the schema of today');
  }
  const counts = printed.split('\n').filter((line) => /^ +(Test Files|Tests|Duration) /.test(line));
  console.log(`Its tests on the schema of today:\n${counts.join('\n')}`);
}
