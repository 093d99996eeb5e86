import { copyFile, open, stat, truncate } from 'node:fs/promises';

/** The server copies a longer log to `<file>.1` and empties it, so that one old log is kept. */
const logMaxBytes = 10 * 1024 * 1024;

const checkIntervalMs = 10 * 60 * 1000;

const tailBytes = 64 * 1024;

/** Moves a log above the limit to `<file>.1`. The server keeps appending; a few lines may be lost. */
export async function rotateLog(file: string): Promise<void> {
  try {
    if ((await stat(file)).size <= logMaxBytes) return;
    await copyFile(file, `${file}.1`);
    await truncate(file);
  } catch {
    // Ignores a log that is missing or belongs to another user.
  }
}

export function rotateLogPeriodically(file: string): () => void {
  const timer = setInterval(() => void rotateLog(file), checkIntervalMs).unref();
  return () => clearInterval(timer);
}

export async function logEnd(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Returns the text that was logged after a position, at most its last 64 KiB. */
export async function logSince(file: string, position: number): Promise<string> {
  try {
    await using handle = await open(file, 'r');
    const { size } = await handle.stat();
    // Reads from the beginning if the log was truncated and is shorter than the position.
    const start = Math.max(size < position ? 0 : position, size - tailBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return '';
  }
}

/** Start of a message, as `log_line_prefix` formats it. */
const messageStart = /^\d{4}-\d\d-\d\d \S+ \S+ \[(\d+)\] /;

/** Drops lines of an earlier, killed server's processes, which write to the same log while they die. */
function linesOfServer(pid: number, text: string): string[] {
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
    // A line that begins with a tab continues the message before it.
    else if (!line.startsWith('\t')) isOwn = true;
    return isOwn;
  });
}

/** Finds why a server ended: its last fatal message, else output without a prefix, else its last message. */
export function findEndReason(text: string, pid: number): string {
  const lines = linesOfServer(pid, text);
  const index = lines.findLastIndex((line) => /(FATAL|PANIC): {2}/.test(line));
  if (index === -1) {
    const printed = lines.findLast((line) => !messageStart.test(line));
    return (printed ?? lines.at(-1)?.replace(messageStart, '') ?? 'it left no message').trim();
  }
  const message = lines[index]?.replace(/^.*?(FATAL|PANIC): {2}/, '') ?? '';
  const hint = lines
    .slice(index + 1)
    .find((line) => line.includes('HINT:  '))
    ?.replace(/^.*?HINT: {2}/, '');
  return hint === undefined ? message : `${message} (${hint})`;
}
