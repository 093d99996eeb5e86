import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { systemClock } from '../call.ts';
import type { Change } from '../changes.ts';
import {
  ApiError,
  type ClassledgerError,
  InvalidRequestError,
  MalformedAnswerError,
  NetworkError,
  TimeoutError,
} from '../errors.ts';
import { type ExitCode, exitCodes, type Terminal, UsageError } from './terminal.ts';

interface ChangesTail {
  /** Stores the cursor between runs; without the file, the tail begins now. */
  readonly cursorFile: string;
  readonly types: readonly Change['type'][] | undefined;
  readonly follow: boolean;
  readonly intervalSeconds: number;
}

/** Stores the cursor after printing a page, so no change is missed, but a page can be printed again after a kill. */
export async function tailChanges(terminal: Terminal, options: ChangesTail): Promise<ExitCode> {
  for (;;) {
    try {
      return await tailOnce(terminal, options);
    } catch (error) {
      if (!options.follow || !isTemporary(error)) throw error;
      terminal.printNotice(`${error.message}. Trying again.`);
      await systemClock.sleep(options.intervalSeconds * 1000, terminal.signal);
    }
  }
}

/** Returns true when a retry can succeed, because the request itself is fine. */
function isTemporary(error: unknown): error is ClassledgerError {
  if (error instanceof NetworkError || error instanceof TimeoutError) return true;
  const isAnswer = error instanceof ApiError || error instanceof MalformedAnswerError;
  return isAnswer && [429, 500, 502, 503, 504].includes(error.status);
}

async function tailOnce(terminal: Terminal, options: ChangesTail): Promise<ExitCode> {
  const { cursorFile, types, follow, intervalSeconds } = options;
  const after = readCursor(cursorFile);
  if (after === undefined) terminal.printNotice('The tail begins now.');
  const pages = terminal.client.changePages({
    after,
    types,
    pollMs: follow ? intervalSeconds * 1000 : null,
    signal: terminal.signal,
  });
  try {
    for await (const { changes, cursor } of pages) {
      for (const change of changes)
        terminal.print(terminal.json ? JSON.stringify(change) : formatChange(change));
      replaceFile(cursorFile, cursor);
    }
  } catch (error) {
    const isInvalidCursor = error instanceof InvalidRequestError && /\bafter\b/.test(error.message);
    throw isInvalidCursor ? damagedCursorFile(cursorFile) : error;
  }
  return exitCodes.done;
}

function formatChange({ at, action, type, id, record, tombstone }: Change): string {
  const { username, name } = { ...record, ...tombstone } as { username?: string; name?: string };
  return [at, action.padEnd(7), type, id, username ?? name ?? ''].join(' ').trimEnd();
}

/** @throws UsageError when the file holds no cursor, because beginning now would skip changes */
function readCursor(path: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
  if (!/^[\w-]+$/.test(text)) throw damagedCursorFile(path);
  return text;
}

const damagedCursorFile = (path: string) =>
  new UsageError(
    `The file ${path} is empty or damaged: it holds no cursor. Restore a copy of it, or delete it: then the tail begins now, and you must read the lists again`,
  );

/** Replaces a file atomically: after a kill it has the old content or the new one. */
function replaceFile(path: string, content: string): void {
  writeFileSync(`${path}.new`, content, { flush: true });
  renameSync(`${path}.new`, path);
}
