import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadEnvFile } from 'node:process';
import manifest from '../package.json' with { type: 'json' };
import { BackupError } from './backup/backup-error.ts';
import { UsageError } from './commands/backup-arguments.ts';
import { StopRequest, StopRequestedError } from './commands/stop-request.ts';
import { readConfig } from './config/config.ts';
import { DatabaseUnusableError, toDatabaseUnusable } from './database/database-unusable.ts';
import { ConfigError } from './errors/config-error.ts';

const usage = `classledger [command]

  serve     start the server (the default)
  migrate   bring the database to the current schema and stop
  demo      start the server with the data of a made-up school, in a folder of its own
  verify    prove that all totals follow from the ledger; names every student that differs
  backup FILE [--school ID]
            write a backup of everything, or of one school, while the server runs or not; - is standard output
  restore FILE [--school] [--unproven]
            restore a backup into an empty database, or that of a school beside others; - is standard input
  reset-admin USERNAME
            give an administrator a new password and remove their second factors
  distribute [--plan]
            distribute the data of schools over the nodes of Citus; --plan only says how
  help      show this; also --help
  version   show which version this is; also --version

Settings are environment variables, or lines of a .env file in the working directory; see docs/operations.md.`;

const lingerMs = 500;

async function run(command: string, words: readonly string[], stop: StopRequest): Promise<number> {
  switch (command) {
    case 'serve':
      return (await import('./commands/serve.ts')).serve(readConfig(process.env), stop);
    case 'migrate': {
      const { openDatabase } = await import('./commands/open-database.ts');
      const database = await openDatabase(readConfig(process.env), stop.requested);
      await database.close();
      console.log('The database has the current schema');
      return 0;
    }
    case 'demo':
      return (await import('./commands/demo.ts')).serveDemo(process.env, stop);
    case 'verify':
      return (await import('./commands/verify.ts')).verify(readConfig(process.env), stop);
    case 'distribute':
      return (await import('./commands/distribute.ts')).distributeCommand(readConfig(process.env), words[0]);
    case 'reset-admin':
      return (await import('./commands/reset-admin.ts')).resetAdmin(readConfig(process.env), words[0], stop);
    case 'backup':
      return (await import('./commands/backup.ts')).backup(readConfig(process.env), words, stop);
    case 'restore':
      return (await import('./commands/restore.ts')).restore(readConfig(process.env), words, stop);
    case 'help':
    case '--help':
      console.log(usage);
      return 0;
    case 'version':
    case '--version':
      console.log(`classledger ${manifest.version}`);
      return 0;
    default:
      console.error(`Unknown command "${command}"\n\n${usage}`);
      return 2;
  }
}

/** Runs a command and sets the exit code. Errors that an operator can fix print one line, others their stack. */
export async function main(command = 'serve', ...words: string[]): Promise<void> {
  const stop = cluster.isWorker ? StopRequest.ofWorker() : StopRequest.ofProcess();
  warnInOneLine();
  try {
    // Workers inherit the parent's settings, so that later changes of the file apply only at the next start.
    if (!cluster.isWorker) readEnvFile();
    process.exitCode = await run(command, words, stop);
  } catch (error) {
    const shown = toDatabaseUnusable(error);
    console.error(isForOperator(shown) ? shown.message : shown);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  } finally {
    stop.end();
    // Ends the process also when connections stay open because the database is silent.
    setTimeout(() => process.exit(), lingerMs).unref();
  }
}

function warnInOneLine(): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => console.error(`${name}: ${message.replace(/\s+/g, ' ')}`));
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
  if (
    [BackupError, ConfigError, DatabaseUnusableError, StopRequestedError, UsageError].some(
      (kind) => error instanceof kind,
    )
  )
    return true;
  // Includes errors of listening: the address of `PORT` or `HOST` is taken, or not this machine's.
  return ['listen', 'bind', 'getaddrinfo'].includes((error as NodeJS.ErrnoException | null)?.syscall ?? '');
}
