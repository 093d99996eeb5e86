import manifest from '../../package.json' with { type: 'json' };
import type { Config } from '../config/config.ts';

const { version } = manifest;

interface Log {
  info(event: object, text: string): void;
}

export function printReady(config: Config, log: Log, address: string, about: object = {}): void {
  console.log(`Classledger is ready at ${address}`);
  const database = config.databaseUrl === null ? 'embedded' : 'DATABASE_URL';
  log.info({ event: 'started', version, node: process.version, address, database, ...about }, 'server');
}

export function printFirstPassword({ adminUsername }: Config, password: string | null): void {
  if (password === null) return;
  console.log(`First administrator: ${adminUsername} with password ${password} (shown this once)`);
}
