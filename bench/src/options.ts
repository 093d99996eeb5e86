import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type WorkloadName, workloadNames } from './workloads.ts';

export interface Options {
  readonly records: number;
  readonly workloads: readonly WorkloadName[];
  readonly rounds: number;
  readonly seconds: number;
  readonly keptFolder: string | null;
  readonly databaseUrl: string | null;
  readonly pinned: boolean;
  readonly workers: number;
}

export class UsageError extends Error {}

export const usage = `npm run bench -- [options]

  --records N      point records to begin with (300000)
  --only W1,W3     only these of ${workloadNames.join(', ')}
  --rounds R       measured rounds of each side (3)
  --seconds S      length of a round (5)
  --keep DIR       generate the data there, or use what an earlier run has left there
  --pinned         server and floor on the first core, database and load on the others (Linux)
  --workers N      processes that serve the server's port (1)

DATABASE_URL       measures on that database instead of an embedded one: an empty one, or one of an earlier run`;

export function readOptions(args: readonly string[], from: string, databaseUrl = ''): Options | null {
  const { values } = parse(args);
  if (values.help) return null;
  return {
    records: parseInteger('records', values.records, 1_000, 100_000_000),
    workloads: parseWorkloads(values.only),
    rounds: parseInteger('rounds', values.rounds, 1, 100),
    seconds: parseInteger('seconds', values.seconds, 1, 600),
    keptFolder: values.keep === undefined ? null : resolve(from, values.keep),
    databaseUrl: databaseUrl === '' ? null : databaseUrl,
    pinned: values.pinned,
    workers: parseInteger('workers', values.workers, 1, 64),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        records: { type: 'string', default: '300000' },
        only: { type: 'string' },
        rounds: { type: 'string', default: '3' },
        seconds: { type: 'string', default: '5' },
        keep: { type: 'string' },
        workers: { type: 'string', default: '1' },
        pinned: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function parseInteger(name: string, text: string, min: number, max: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(`--${name} takes a whole number from ${min} to ${max}, not "${text}"`);
}

function parseWorkloads(text: string | undefined): readonly WorkloadName[] {
  if (text === undefined) return workloadNames;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(workloadNames as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--only takes ${workloadNames.join(', ')}, not "${unknown}"`);
  return workloadNames.filter((name) => names.includes(name));
}
