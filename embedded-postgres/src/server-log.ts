import { closeSync, openSync } from 'node:fs';
import { copyFile, open, stat, truncate } from 'node:fs/promises';

/** A log that has grown beyond this is cut; the previous content stays for one generation. */
const logMaxBytes = 10 * 1024 * 1024;

const checkIntervalMs = 10 * 60 * 1000;

/** How much of the log's end is looked at for the reason of a failure. */
const tailBytes = 64 * 1024;

/**
 * Keeps the server's log bounded: above the limit its content moves to `<file>.1` and it starts anew.
 * Works while a server writes to it, since the server appends (what is written meanwhile may be lost).
 * Never throws: a log is no reason not to run.
 */
export async function boundLog(file: string): Promise<void> {
  try {
    if ((await stat(file)).size <= logMaxBytes) return;
    await copyFile(file, `${file}.1`);
    await truncate(file);
  } catch {
    // Not there yet, or not ours to change.
  }
}

/** Bounds the log from time to time, without keeping the program alive for it. Returns how to end that. */
export function keepLogBounded(file: string): () => void {
  const timer = setInterval(() => void boundLog(file), checkIntervalMs).unref();
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
      const start = Math.max(size < position ? 0 : position, size - tailBytes);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return '';
  }
}

/** How a message of a PostgreSQL process begins, by the `log_line_prefix` of the server. */
const messageStart = /^\d{4}-\d\d-\d\d \S+ \S+ \[(\d+)\] /;

/**
 * The lines of a log text that come from one server: its main process, the processes whose end it tells of, and
 * what programs print before they know how to begin a line. Processes of an earlier server that was killed write
 * to the same log while they die; what they say is no reason of this one.
 */
function linesOf(pid: number, text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const own = new Set([String(pid)]);
  for (const line of lines) {
    if (messageStart.exec(line)?.[1] !== String(pid)) continue;
    for (const [, child] of line.matchAll(/\(PID (\d+)\)/g)) own.add(child as string);
  }
  let isOwn = true;
  return lines.filter((line) => {
    const writer = messageStart.exec(line)?.[1];
    if (writer !== undefined) isOwn = own.has(writer);
    // A tab goes on with the message before it.
    else if (!line.startsWith('\t')) isOwn = true;
    return isOwn;
  });
}

/** Why a server went away, by its own account. */
export interface Reason {
  readonly text: string;
  /** False when nothing made the server give up: it was killed, which need not happen again. */
  readonly isStated: boolean;
}

/**
 * What best tells why a server went away: its own last fatal message with the hint that follows, else what was
 * printed before it knew how to log (a library that is missing, say), else its last message. Time stamps are
 * left out.
 *
 * @param pid the server's main process
 */
export function reasonIn(text: string, pid: number): Reason {
  const lines = linesOf(pid, text);
  const index = lines.findLastIndex((line) => /(FATAL|PANIC): {2}/.test(line));
  if (index === -1) {
    const printed = lines.findLast((line) => !messageStart.test(line));
    const last = printed ?? lines.at(-1)?.replace(messageStart, '') ?? 'it left no message';
    return { text: last.trim(), isStated: printed !== undefined };
  }
  const message = lines[index]?.replace(/^.*?(FATAL|PANIC): {2}/, '') ?? '';
  const hint = lines
    .slice(index + 1)
    .find((line) => line.includes('HINT:  '))
    ?.replace(/^.*?HINT: {2}/, '');
  return { text: hint === undefined ? message : `${message} (${hint})`, isStated: true };
}
