import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadEnvFile } from 'node:process';
import { demo } from './commands/demo.ts';
import { openDatabase } from './commands/open-database.ts';
import { resetAdmin } from './commands/reset-admin.ts';
import { serve } from './commands/serve.ts';
import { StopAsked, StopRequest } from './commands/stop-request.ts';
import { verify } from './commands/verify.ts';
import { ConfigError, readConfig } from './config.ts';
import { asUnusable, DatabaseUnusableError } from './database/database-unusable.ts';

const usage = `classledger [command]

  serve     start the server (the default)
  migrate   bring the database to the current schema and stop
  demo      start the server with the data of a made-up school, in a folder of its own
  verify    prove that all totals follow from the ledger; names every student that differs
  reset-admin USERNAME
            give an administrator a new password and remove their second factors
  help      show this

Settings are environment variables, or lines of a .env file in the working directory; see README.md.`;

const lingerMs = 500;

/** @returns the exit code */
async function run(command: string, argument: string | undefined, stop: StopRequest): Promise<number> {
  switch (command) {
    case 'serve':
      return serve(readConfig(process.env), stop);
    case 'migrate': {
      const database = await openDatabase(readConfig(process.env), stop.asked);
      await database.close();
      console.log('The database has the current schema');
      return 0;
    }
    case 'demo':
      return demo(process.env, stop);
    case 'verify':
      return verify(readConfig(process.env), stop);
    case 'reset-admin':
      return resetAdmin(readConfig(process.env), argument, stop);
    case 'help':
    case '--help':
      console.log(usage);
      return 0;
    default:
      console.error(`Unknown command "${command}"\n\n${usage}`);
      return 2;
  }
}

/**
 * The command line: reads the settings, runs a command and sets the exit code. What an operator can mend ends in
 * one line, everything else with its stack.
 */
export async function main(command = 'serve', argument?: string): Promise<void> {
  const stop = StopRequest.ofProcess();
  try {
    readEnvFile();
    process.exitCode = await run(command, argument, stop);
  } catch (error) {
    const shown = asUnusable(error);
    console.error(isForOperator(shown) ? shown.message : shown);
    process.exitCode = 1;
  } finally {
    stop.end();
    // A connection to a database that has fallen silent closes never; all that matters is done.
    setTimeout(() => process.exit(), lingerMs).unref();
  }
}

function readEnvFile(): void {
  const file = resolve(process.env.INIT_CWD ?? '.', '.env');
  if (!existsSync(file)) return;
  try {
    loadEnvFile(file);
  } catch (error) {
    throw new ConfigError(`The file ${file} cannot be read: ${(error as Error).message}`);
  }
}

function isForOperator(error: unknown): error is Error {
  if ([ConfigError, DatabaseUnusableError, StopAsked].some((kind) => error instanceof kind)) return true;
  // PORT or HOST: an address that is taken, or not this machine's.
  return ['listen', 'getaddrinfo'].includes((error as NodeJS.ErrnoException | null)?.syscall ?? '');
}
