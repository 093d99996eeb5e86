import { setTimeout as pause } from 'node:timers/promises';

const everyMs = 100;

/** Latencies in milliseconds, in ascending order. */
export interface Latencies {
  readonly reads: readonly number[];
  readonly writes: readonly number[];
}

interface ModestSchool {
  readonly port: number;
  readonly students: readonly number[];
  readonly classId: number;
  /** Taken in turn, so that none reaches its limit. */
  readonly tokens: readonly string[];
}

/**
 * Sends ten requests a second for so long, whether or not the ones before are answered: a page of a class, one score, a page of a
 * student's records, one score.
 *
 * @throws Error at any answer but success; it asks for no more then
 */
export async function askFor(
  seconds: number,
  { port, students, classId, tokens }: ModestSchool,
): Promise<Latencies> {
  const reads: number[] = [];
  const writes: number[] = [];
  const ask = async (n: number) => {
    const userId = students[n % students.length];
    const isWrite = n % 2 === 1;
    const path = isWrite
      ? '/scores'
      : n % 4 === 0
        ? `/students?classId=${classId}&limit=20`
        : `/scores?userId=${userId}&limit=20`;
    const startedAt = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method: isWrite ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${tokens[Math.floor(n / 2) % tokens.length]}`,
        'content-type': 'application/json',
      },
      body: isWrite ? JSON.stringify({ userId, scoreChange: 1, description: 'Homework handed in' }) : null,
    });
    const text = await answer.text();
    (isWrite ? writes : reads).push(performance.now() - startedAt);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`);
  };
  const all: Promise<void>[] = [];
  const failures: unknown[] = [];
  const startedAt = performance.now();
  for (let n = 0; n < seconds * (1_000 / everyMs) && failures.length === 0; n++) {
    await pause(Math.max(0, startedAt + n * everyMs - performance.now()));
    // Whoever calls stops the product, so no failure may end the process before.
    all.push(ask(n).catch((error: unknown) => void failures.push(error)));
  }
  await Promise.all(all);
  if (failures.length > 0) throw failures[0];
  return { reads, writes };
}
