import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Resets the peak of a process's resident memory (Linux). */
export function resetPeakMemory(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // If the reset fails, the peak covers the whole life of the process.
  }
}

/** Reads the peak resident memory in MiB; NaN if unknown. */
export const peakMiB = (pid: number) => memoryMiB(pid, /^VmHWM:\s*(\d+) kB$/m);

/** Reads the resident memory in MiB; NaN if unknown. */
export const residentMiB = (pid: number) => memoryMiB(pid, /^VmRSS:\s*(\d+) kB$/m);

function memoryMiB(pid: number, line: RegExp): number {
  try {
    return Number(line.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

export function sumOf(pids: readonly number[], read: (pid: number) => number): number {
  return pids.reduce((sum, pid) => sum + read(pid), 0);
}

/** Linux counts in hundredths of a second on every architecture. */
const ticksPerSecond = 100;

interface ProcessTimes {
  readonly parent: number;
  readonly seconds: number;
  /** Processor seconds of children that have ended and were waited for. */
  readonly endedChildrenSeconds: number;
}

/** Reads the processor seconds of a process; NaN if unknown. */
export function cpuSeconds(pid: number): number {
  return readTimes(pid)?.seconds ?? Number.NaN;
}

/** Reads the processor seconds of a process and those below it; NaN if unknown. */
export function cpuSecondsOfTree(pid: number): number {
  const times = readTimes(pid);
  if (times === null) return Number.NaN;
  return readDescendants(pid).reduce(
    (sum, [, { seconds, endedChildrenSeconds }]) => sum + seconds + endedChildrenSeconds,
    times.seconds,
  );
}

/** Lists the processes below a process; empty where the system does not report them. */
export const listDescendants = (pid: number): number[] =>
  readTimes(pid) === null ? [] : readDescendants(pid).map(([child]) => child);

function readDescendants(pid: number): [number, ProcessTimes][] {
  const all = new Map<number, ProcessTimes>();
  for (const name of readdirSync('/proc')) {
    const times = /^\d+$/.test(name) ? readTimes(Number(name)) : null;
    if (times) all.set(Number(name), times);
  }
  const below = (parent: number): [number, ProcessTimes][] =>
    [...all].filter(([, times]) => times.parent === parent).flatMap((child) => [child, ...below(child[0])]);
  return below(pid);
}

/** See proc_pid_stat(5). The second field is a name in parentheses that may contain any character. */
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
