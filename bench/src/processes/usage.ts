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
export function peakMiB(pid: number): number | null {
  try {
    const line = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return line === undefined ? null : Number(line) / 1024;
  } catch {
    return null;
  }
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

/** Processor time of everything below a process, without itself. */
export function cpuSecondsBelow(pid: number): number | null {
  if (readTimes(pid) === null) return null;
  const all = new Map<number, ProcessTimes>();
  for (const name of readdirSync('/proc')) {
    const times = /^\d+$/.test(name) ? readTimes(Number(name)) : null;
    if (times) all.set(Number(name), times);
  }
  const below = (parent: number): number =>
    [...all]
      .filter(([, times]) => times.parent === parent)
      .reduce((sum, [child, times]) => sum + times.seconds + times.endedChildrenSeconds + below(child), 0);
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
