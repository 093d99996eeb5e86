import { closeSync, openSync } from 'node:fs';
import { copyFile, open, stat, truncate } from 'node:fs/promises';

/** A log that has grown beyond this is cut; the previous content stays for one generation. */
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

const CHECK_INTERVAL_MS = 10 * 60 * 1000;

/** How much of the log's end is looked at for the reason of a failure. */
const TAIL_BYTES = 64 * 1024;

/**
 * Keeps the server's log bounded: above the limit its content moves to `<file>.1` and it starts anew.
 * Works while a server writes to it, since the server appends (what is written meanwhile may be lost).
 * Never throws: a log is no reason not to run.
 */
export async function boundLog(file: string): Promise<void> {
  try {
    if ((await stat(file)).size <= LOG_LIMIT_BYTES) return;
    await copyFile(file, `${file}.1`);
    await truncate(file);
  } catch {
    // Not there yet, or not ours to change.
  }
}

/** Bounds the log from time to time, without keeping the program alive for it. Returns how to end that. */
export function keepLogBounded(file: string): () => void {
  const timer = setInterval(() => void boundLog(file), CHECK_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

/** Opens the log for a server to append to, and closes our copy when `use` is done with it. */
export function withLogDescriptor<T>(file: string, use: (descriptor: number) => T): T {
  const descriptor = openSync(file, 'a', 0o600);
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The current size of the log: where the next line will be written. */
export async function logEnd(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** The text that was logged after a position, at most its last part. */
export async function logSince(file: string, position: number): Promise<string> {
  try {
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      // A log that was cut meanwhile has a smaller size than the position.
      const start = Math.max(size < position ? 0 : position, size - TAIL_BYTES);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return '';
  }
}

/**
 * The line of a log text that best tells why the server went away: its last fatal message with the hint
 * that follows, else its last line. Time stamps are left out.
 */
export function reasonIn(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const index = lines.findLastIndex((line) => /(FATAL|PANIC): {2}/.test(line));
  if (index === -1) return lines.at(-1)?.trim() ?? 'it left no message';
  const message = lines[index]?.replace(/^.*?(FATAL|PANIC): {2}/, '') ?? '';
  const hint = lines
    .slice(index + 1)
    .find((line) => line.includes('HINT:  '))
    ?.replace(/^.*?HINT: {2}/, '');
  return hint === undefined ? message : `${message} (${hint})`;
}
