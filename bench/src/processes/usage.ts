import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Lets the peak of a process's resident memory begin anew, where the system can (Linux). */
export function resetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Then the peak is that of the whole life of the process.
  }
}

/** Peak resident memory in MiB; null where the system does not tell. */
export const peakMiB = (pid: number) => memoryMiB(pid, /^VmHWM:\s*(\d+) kB$/m);

/** Resident memory at this moment. */
export const residentMiB = (pid: number) => memoryMiB(pid, /^VmRSS:\s*(\d+) kB$/m);

function memoryMiB(pid: number, line: RegExp): number | null {
  try {
    const kilobytes = line.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1024;
  } catch {
    return null;
  }
}

/** Of all processes together; null where one of them does not tell. */
export function sumOf(pids: readonly number[], read: (pid: number) => number | null): number | null {
  return pids.map(read).reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0);
}

/** Linux counts processor time in hundredths of a second, on every architecture. */
const ticksPerSecond = 100;

interface ProcessTimes {
  readonly parent: number;
  readonly seconds: number;
  /** Of children that have ended and been waited for. */
  readonly endedChildrenSeconds: number;
}

/** Processor time that a process has used, in seconds; null where the system does not tell. */
export function cpuSeconds(pid: number): number | null {
  return readTimes(pid)?.seconds ?? null;
}

/** Processor time of a process and everything below it. */
export function cpuSecondsWithin(pid: number): number | null {
  const times = readTimes(pid);
  if (times === null) return null;
  return readBelow(pid).reduce(
    (sum, [, { seconds, endedChildrenSeconds }]) => sum + seconds + endedChildrenSeconds,
    times.seconds,
  );
}

/** The processes below a process; none where the system does not tell. */
export const processesBelow = (pid: number): number[] =>
  readTimes(pid) === null ? [] : readBelow(pid).map(([child]) => child);

function readBelow(pid: number): [number, ProcessTimes][] {
  const all = new Map<number, ProcessTimes>();
  for (const name of readdirSync('/proc')) {
    const times = /^\d+$/.test(name) ? readTimes(Number(name)) : null;
    if (times) all.set(Number(name), times);
  }
  const below = (parent: number): [number, ProcessTimes][] =>
    [...all].filter(([, times]) => times.parent === parent).flatMap((child) => [child, ...below(child[0])]);
  return below(pid);
}

/** See proc_pid_stat(5); the second field is a name in parentheses that may hold anything. */
function readTimes(pid: number): ProcessTimes | null {
  let line: string;
  try {
    line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const seconds = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) / ticksPerSecond;
  return { parent: Number(fields[1]), seconds: seconds(11), endedChildrenSeconds: seconds(13) };
}
