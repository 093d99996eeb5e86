import { setTimeout as pause } from 'node:timers/promises';
import { type Call, createGrade } from '../processes/product.ts';

const pauseMs = 200;
/** The web pages have the same timeout. */
const patienceMs = 10_000;

export interface Taps {
  /** Milliseconds, in ascending order. */
  readonly latencies: readonly number[];
  readonly failures: readonly string[];
  readonly points: number;
}

export async function createClass(
  call: Call,
): Promise<{ schoolDb: number; classId: number; students: readonly number[] }> {
  const { schoolDb, gradeId } = await createGrade(call);
  const { id: classId } = await call<{ id: number }>('POST', '/classes', {
    schoolDb,
    gradeId,
    name: 'Class 1',
  });
  const students = Array.from({ length: 30 }, (_, n) => ({ username: `student${n}` }));
  const body = { schoolDb, classId, students };
  const { details } = await call<{ details: { id: number }[] }>('POST', '/users', body);
  return { schoolDb, classId, students: details.map(({ id }) => id) };
}

export async function tapUntil(
  stop: AbortSignal,
  port: number,
  headers: Record<string, string>,
  { schoolDb, students }: { schoolDb: number; students: readonly number[] },
): Promise<Taps> {
  const latencies: number[] = [];
  const failures: string[] = [];
  let points = 0;
  for (let n = 0; !stop.aborted; n++) {
    const startedAt = performance.now();
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/api/scores/add`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': `tap ${n}` },
        body: JSON.stringify({ schoolDb, userId: students[n % students.length], scoreChange: 1 }),
        signal: AbortSignal.timeout(patienceMs),
      });
      const text = await answer.text();
      if (answer.ok) points++;
      else failures.push(`${answer.status} ${text.slice(0, 100)}`);
    } catch (error) {
      failures.push((error as Error).message);
    }
    latencies.push(performance.now() - startedAt);
    await pause(pauseMs);
  }
  return { latencies: latencies.sort((a, b) => a - b), failures, points };
}
