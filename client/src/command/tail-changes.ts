import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { systemClock } from '../call.ts';
import type { Change } from '../changes.ts';
import {
  ApiError,
  type ClassledgerError,
  MalformedAnswerError,
  NetworkError,
  TimeoutError,
} from '../errors.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

export interface ChangesTail {
  /** Keeps the place between runs; where there is none yet, the tail begins now. */
  readonly cursorFile: string;
  readonly types: readonly Change['type'][] | undefined;
  /** Whether to wait for more at the end. */
  readonly follow: boolean;
  readonly intervalSeconds: number;
}

/**
 * Prints changes as they come; who follows outlasts any time without an answer. The place is kept after the lines are written, so nothing is missed; a kill may show
 * a page again.
 */
export async function tailChanges(terminal: Terminal, options: ChangesTail): Promise<ExitCode> {
  for (;;) {
    try {
      return await tailOnce(terminal, options);
    } catch (error) {
      if (!options.follow || !mayPass(error)) throw error;
      terminal.tell(`${error.message}. Trying again.`);
      await systemClock.sleep(options.intervalSeconds * 1000, terminal.signal);
    }
  }
}

/** Whether a later call may do better, as nothing is wrong with this one. */
function mayPass(error: unknown): error is ClassledgerError {
  if (error instanceof NetworkError || error instanceof TimeoutError) return true;
  const isAnswer = error instanceof ApiError || error instanceof MalformedAnswerError;
  return isAnswer && [429, 500, 502, 503, 504].includes(error.status);
}

async function tailOnce(terminal: Terminal, options: ChangesTail): Promise<ExitCode> {
  const { cursorFile, types, follow, intervalSeconds } = options;
  const after = kept(cursorFile);
  if (after === undefined) terminal.tell('The tail begins now.');
  const pages = terminal.client.changePages({
    after,
    types,
    pollMs: follow ? intervalSeconds * 1000 : null,
    signal: terminal.signal,
  });
  for await (const { changes, cursor } of pages) {
    for (const change of changes) terminal.print(terminal.json ? JSON.stringify(change) : line(change));
    keep(cursorFile, cursor);
  }
  return exitCodes.done;
}

function line({ at, action, type, id, record, tombstone }: Change): string {
  const { username, name } = { ...record, ...tombstone } as { username?: string; name?: string };
  return [at, action.padEnd(7), type, id, username ?? name ?? ''].join(' ').trimEnd();
}

function kept(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** In one piece: whoever is killed leaves the old place or the new one. */
function keep(path: string, cursor: string): void {
  writeFileSync(`${path}.new`, cursor);
  renameSync(`${path}.new`, path);
}
