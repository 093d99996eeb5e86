import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import manifest from '../../package.json' with { type: 'json' };
import type { Config } from '../config/config.ts';
import type { SupervisorLog } from '../workers/worker-supervisor.ts';

const { version } = manifest;

export function printReady(
  config: Config,
  log: Pick<SupervisorLog, 'info'>,
  address: string,
  about: object = {},
): void {
  console.log(`Classledger is ready at ${address}`);
  const database = config.databaseUrl === null ? 'embedded' : 'DATABASE_URL';
  log.info({ event: 'started', version, node: process.version, address, database, ...about }, 'server');
}

export function printFirstPassword({ adminUsername }: Config, password: string | null): void {
  if (password === null) return;
  console.log(`First administrator: ${adminUsername} with password ${password} (shown this once)`);
}

/** Frees the 18 MB that the start used, because V8 collects no garbage in an idle process. Takes 0.1 seconds. */
export function freeStartupMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  // Restores the flag, because V8 uses cached code only when flags are unchanged.
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', flavor: 'last-resort' });
}
