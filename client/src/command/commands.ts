import { readFileSync } from 'node:fs';
import type { parseArgs } from 'node:util';
import type { Change } from '../changes.ts';
import type { ClientOptions } from '../client.ts';
import { importScores, wholeNumber } from './scores-import.ts';
import { exportStudents, importStudents } from './students.ts';
import { tailChanges } from './tail-changes.ts';
import { type ExitCode, exitCodes, printResult, type Terminal, UsageError } from './terminal.ts';

type Flags = Readonly<Record<string, string | boolean | undefined>>;

interface Command {
  readonly usage: string;
  readonly summary: string;
  readonly flags: NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;
  readonly run: (terminal: Terminal, flags: Flags, operands: readonly string[]) => Promise<ExitCode>;
}

const textFlag = { type: 'string' } as const;
const booleanFlag = { type: 'boolean', default: false } as const;

export const commands: Readonly<Record<string, Command>> = {
  ping: {
    usage: '',
    summary: 'Show the school, and what the credential may do.',
    flags: {},
    run: (terminal) => ping(terminal),
  },
  'students export': {
    usage: '[FILE.csv|FILE.xlsx] [--class ID] [--grade ID]',
    summary: 'Save the students as a table that the import takes; without a file as CSV on the output.',
    flags: { class: textFlag, grade: textFlag },
    run: (terminal, flags, operands) =>
      exportStudents(terminal, {
        file: fileOperand(operands, 0),
        classId: numberFlag(flags, 'class'),
        gradeId: numberFlag(flags, 'grade'),
      }),
  },
  'students import': {
    usage: 'FILE.csv|FILE.xlsx [--dry-run] [--class ID] [--passwords FILE]',
    summary:
      'Create and change students as the file says: externalId, username, actualName, cardNumber, grade and class (or classId), disabled. Empty cells change nothing.',
    flags: { 'dry-run': booleanFlag, class: textFlag, passwords: textFlag },
    run: (terminal, flags, operands) => {
      const file = fileOperand(operands, 1) as string;
      return importStudents(terminal, {
        file,
        classId: numberFlag(flags, 'class'),
        dryRun: flags['dry-run'] === true,
        passwords: (flags.passwords as string | undefined) ?? `${file}.passwords.csv`,
      });
    },
  },
  'scores import': {
    usage: 'FILE.csv|FILE.xlsx [--points N] [--reason TEXT] [--run NAME] [--journal FILE]',
    summary:
      'Give the points of a file, each row once, however often it is run (and once more under another --run): username, userId, externalId or cardNumber; points; reason; occurredAt.',
    flags: { points: textFlag, reason: textFlag, run: textFlag, journal: textFlag },
    run: (terminal, flags, operands) => {
      const file = fileOperand(operands, 1) as string;
      return importScores(terminal, {
        file,
        points: numberFlag(flags, 'points'),
        reason: flags.reason as string | undefined,
        run: (flags.run as string | undefined) ?? '',
        journal: (flags.journal as string | undefined) ?? `${file}.given.jsonl`,
      });
    },
  },
  'changes tail': {
    usage: '--cursor FILE [--types LIST] [--follow] [--interval SECONDS]',
    summary: 'Print what has changed since the last time, one line each; FILE stores the cursor.',
    flags: { cursor: textFlag, types: textFlag, follow: booleanFlag, interval: textFlag },
    run: (terminal, flags) => {
      if (!flags.cursor) throw new UsageError('Give the file that stores the cursor: --cursor FILE');
      return tailChanges(terminal, {
        cursorFile: flags.cursor as string,
        types: (flags.types as string | undefined)?.split(',') as Change['type'][] | undefined,
        follow: flags.follow === true,
        intervalSeconds: numberFlag(flags, 'interval') ?? 10,
      });
    },
  },
  mcp: {
    usage: '[--read-only]',
    summary: 'Serve the API as tools of the Model Context Protocol, on standard input and output.',
    flags: { 'read-only': booleanFlag },
    run: async (terminal, flags) => {
      const { serveTools } = await import('../mcp/serve-tools.ts');
      return serveTools(terminal, { readOnly: flags['read-only'] === true });
    },
  },
};

/** @throws UsageError for more than one operand, or fewer than needed */
function fileOperand(operands: readonly string[], needed: 0 | 1): string | null {
  if (operands.length > 1)
    throw new UsageError(`Give one file, not ${operands.length}: ${operands.join(' ')}`);
  if (operands.length < needed) throw new UsageError('Give the file');
  return operands[0] ?? null;
}

function numberFlag(flags: Flags, name: string): number | undefined {
  const value = flags[name];
  return typeof value === 'string' ? wholeNumber(value, `--${name}`) : undefined;
}

async function ping(terminal: Terminal): Promise<ExitCode> {
  const about = await terminal.client.ping({}, { signal: terminal.signal });
  const { school, token } = about;
  const place = token.scopeClassId ?? token.scopeGradeId;
  const words = [
    `School: ${school.name} (${school.id})`,
    `Credential: ${token.name} (${token.prefix}...), for ${place === null ? 'the whole school' : `${token.scopeType} ${place}`}`,
    `May: ${token.scopes.join(', ') || 'nothing'}`,
    `Ends: ${token.expiresAt ?? 'never'}`,
  ];
  printResult(terminal, about, words.join('\n'));
  return exitCodes.done;
}

/** Does not take the credential from the command line, which others see and the shell stores. @throws UsageError */
export function readConnection(
  flags: { readonly url?: string | undefined; readonly 'token-file'?: string | undefined },
  env: Readonly<Record<string, string | undefined>>,
): Pick<ClientOptions, 'url' | 'token'> {
  const url = flags.url ?? env.CLASSLEDGER_URL;
  if (!url) throw new UsageError('The address of the server is missing: set CLASSLEDGER_URL, or give --url');
  if (!URL.canParse(url))
    throw new UsageError(`${url} is no address; it looks like https://points.school.example`);
  const file = flags['token-file'];
  const token = file ? readCredentialFile(file).trim() : env.CLASSLEDGER_TOKEN;
  if (!token)
    throw new UsageError(
      'The credential is missing: put it into CLASSLEDGER_TOKEN, or into a file for --token-file',
    );
  return { url, token };
}

function readCredentialFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`The credential cannot be read: ${(error as Error).message}`);
  }
}
