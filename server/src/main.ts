#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadEnvFile } from 'node:process';
import { DatabaseUnusableError, openDatabase } from './commands/open-database.ts';
import { serve } from './commands/serve.ts';
import { verify } from './commands/verify.ts';
import { ConfigError, readConfig } from './config.ts';
import { EmbeddedPostgresError } from './database/embedded/embedded-postgres.ts';

const usage = `classledger [command]

  serve     start the server (the default)
  migrate   bring the database to the present schema and stop
  verify    prove that all totals follow from the ledger; names every student that differs
  help      show this

Settings are environment variables, or lines of a .env file in the working directory; see README.md.`;

/** @returns the exit code */
async function run(command: string): Promise<number> {
  switch (command) {
    case 'serve':
      return serve(readConfig(process.env));
    case 'migrate': {
      const database = await openDatabase(readConfig(process.env));
      await database.close();
      console.log('The database has the present schema');
      return 0;
    }
    case 'verify':
      return verify(readConfig(process.env));
    case 'help':
    case '--help':
      console.log(usage);
      return 0;
    default:
      console.error(`Unknown command "${command}"\n\n${usage}`);
      return 2;
  }
}

const envFile = resolve(process.env.INIT_CWD ?? '.', '.env');
if (existsSync(envFile)) loadEnvFile(envFile);
try {
  process.exitCode = await run(process.argv[2] ?? 'serve');
} catch (error) {
  const expected =
    error instanceof ConfigError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof DatabaseUnusableError ||
    (error as NodeJS.ErrnoException).syscall === 'listen';
  console.error(expected ? (error as Error).message : error);
  process.exitCode = 1;
}
