import { setTimeout as pause } from 'node:timers/promises';

const everyMs = 100;

/** In milliseconds, in ascending order. */
export interface Latencies {
  readonly reads: readonly number[];
  readonly writes: readonly number[];
}

interface ModestSchool {
  readonly port: number;
  readonly students: readonly number[];
  readonly classId: number;
  /** Used in rotation, so that each credential stays below its limit. */
  readonly tokens: readonly string[];
}

/** Sends ten requests a second without waiting for answers. @throws Error after the first failed answer */
export async function sendRequests(
  seconds: number,
  { port, students, classId, tokens }: ModestSchool,
): Promise<Latencies> {
  const reads: number[] = [];
  const writes: number[] = [];
  const sendRequest = async (n: number) => {
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
    // Keeps the error until all requests end, because the caller must stop the product before this process ends.
    all.push(sendRequest(n).catch((error: unknown) => void failures.push(error)));
  }
  await Promise.all(all);
  if (failures.length > 0) throw failures[0];
  return { reads, writes };
}
