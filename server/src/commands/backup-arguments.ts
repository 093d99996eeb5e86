import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** A command was not asked for as it can be; the message is how. */
export class UsageError extends Error {}

/** What `backup` and `restore` are asked for. */
export interface BackupArguments {
  /** Absolute, or `-` for standard input or output. */
  readonly file: string;
  readonly school: string | boolean | undefined;
  readonly unproven: boolean | undefined;
}

/**
 * Reads the words behind a command. A file is looked for where the command was typed, also when npm runs it elsewhere.
 *
 * @throws UsageError
 */
export function readArguments(
  words: readonly string[],
  options: { readonly school: { type: 'string' | 'boolean' }; readonly unproven?: { type: 'boolean' } },
  usage: string,
): BackupArguments {
  try {
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
    const [file, ...more] = positionals;
    if (file !== undefined && more.length === 0) {
      const { school, unproven } = values as Partial<BackupArguments>;
      return { file: file === '-' ? file : resolve(process.env.INIT_CWD ?? '.', file), school, unproven };
    }
  } catch {
    // As below.
  }
  throw new UsageError(usage);
}
