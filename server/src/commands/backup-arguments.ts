import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export class UsageError extends Error {}

export interface BackupArguments {
  readonly file: string;
  readonly school: string | boolean | undefined;
  readonly unproven: boolean | undefined;
}

/** Parses arguments; a file is relative to where the user typed the command. @throws UsageError */
export function readArguments(
  args: readonly string[],
  options: { readonly school: { type: 'string' | 'boolean' }; readonly unproven?: { type: 'boolean' } },
  usage: string,
): BackupArguments {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [file, ...more] = positionals;
    if (file !== undefined && more.length === 0) {
      const { school, unproven } = values as Partial<BackupArguments>;
      return { file: file === '-' ? file : resolve(process.env.INIT_CWD ?? '.', file), school, unproven };
    }
  } catch {
    // Throws the error below.
  }
  throw new UsageError(usage);
}
