#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { Classledger } from '../client.ts';
import { ApiError, BatchInterruptedError, ClassledgerError } from '../errors.ts';
import { version } from '../version.ts';
import { commands, readConnection } from './commands.ts';
import { type ExitCode, exitCodes, type Terminal, UsageError } from './terminal.ts';

const help = `Usage: classledger-client <command> [options]

${Object.entries(commands)
  .map(([name, { usage, summary }]) => `  ${[name, usage].filter(Boolean).join(' ')}\n      ${summary}`)
  .join('\n')}

Everywhere:
  --url URL           where the server is; otherwise CLASSLEDGER_URL
  --token-file FILE   holds the credential; otherwise CLASSLEDGER_TOKEN
  --json              the result as JSON, for programs
  --help, --version

Exit codes: 0: done, 2: wrong use, 3: some entries were refused, 4: the server refused the call, 5: no answer, 1: anything else.`;

const common = {
  url: { type: 'string' },
  'token-file': { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', default: false },
} as const;

const printNotice = (text: string) => void process.stderr.write(`${text}\n`);

/** Aborts on Ctrl-C and on SIGTERM. Running the same command again continues safely. */
const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => interruption.abort(new InterruptedError()));

class InterruptedError extends Error {}

async function main(args: readonly string[]): Promise<ExitCode> {
  const words = args.filter((word) => !word.startsWith('-'));
  const name = words
    .flatMap((word, i) => [`${word} ${words[i + 1]}`, word])
    .find((each) => Object.hasOwn(commands, each));
  const command = name === undefined ? undefined : commands[name];
  if (!command) {
    if (args.includes('--version')) process.stdout.write(`classledger-client ${version}\n`);
    else if (args.length === 0 || args.includes('--help') || args.includes('-h'))
      process.stdout.write(`${help}\n`);
    else throw new UsageError(`There is no command ${words.join(' ')}. See classledger-client --help`);
    return exitCodes.done;
  }
  const { values, positionals } = parseFlags(args, { ...common, ...command.flags });
  if (values.help) {
    process.stdout.write(`${help}\n`);
    return exitCodes.done;
  }
  const operands = positionals.slice((name as string).split(' ').length);
  const client = new Classledger({
    ...readConnection(values, process.env),
    userAgent: process.env.CLASSLEDGER_USER_AGENT,
  });
  const terminal: Terminal = {
    client,
    json: values.json === true,
    signal: interruption.signal,
    print: (text) => void process.stdout.write(`${text}\n`),
    printNotice,
  };
  return command.run(terminal, values, operands);
}

function parseFlags(
  args: readonly string[],
  options: NonNullable<Parameters<typeof parseArgs>[0]>['options'],
) {
  try {
    return parseArgs({ args: [...args], options: options ?? {}, allowPositionals: true }) as {
      values: Record<string, string | boolean | undefined> & { url?: string; 'token-file'?: string };
      positionals: string[];
    };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function reportError(error: unknown, json: boolean): ExitCode {
  const cause = error instanceof BatchInterruptedError ? error.cause : error;
  if (cause instanceof InterruptedError) {
    printNotice('Interrupted. Run the same command again to continue.');
    return exitCodes.interrupted;
  }
  const { message } = error as Error;
  if (json)
    printNotice(JSON.stringify({ error: { ...(cause as object), name: (cause as Error).name, message } }));
  else printNotice(cause instanceof ApiError && cause.remedy ? `${message}\n${cause.remedy}` : message);
  if (cause instanceof UsageError) return exitCodes.wrongUse;
  if (cause instanceof ApiError) return cause.status < 500 ? exitCodes.refused : exitCodes.noAnswer;
  return cause instanceof ClassledgerError ? exitCodes.noAnswer : exitCodes.failed;
}

// Ends without an error when the reader of the output, such as `head`, closes it early.
process.stdout.on('error', () => process.exit(exitCodes.done));
main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.exitCode = reportError(error, process.argv.includes('--json'));
  },
);
