export interface Dataset {
  readonly schoolId: number;
  readonly classIds: readonly number[];
  readonly studentIds: readonly number[];
}

export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  readonly keyed?: true;
}

const batchSize = 200;
const changes = [1, 1, 1, 2, 2, 3, 5, -1, -1, -2];

const pick = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)] as T;

function single(data: Dataset): string {
  const userId = pick(data.studentIds);
  return JSON.stringify({ userId, scoreChange: pick(changes), description: 'Homework handed in' });
}

function batch(data: Dataset): string {
  const chosen = new Set<number>();
  while (chosen.size < batchSize) chosen.add(pick(data.studentIds));
  const items = Array.from(chosen, (userId) => ({ userId, scoreChange: pick(changes) }));
  return JSON.stringify({ items, description: 'Seating check' });
}

/** Draw random requests. Writes are measured last, because they make the data grow. */
export const workloads = {
  W1: (data) => ({
    method: 'GET',
    path: `/students?classId=${pick(data.classIds)}&sortBy=totalScore&order=desc&limit=20`,
  }),
  W2: (data) => ({ method: 'GET', path: `/scores?userId=${pick(data.studentIds)}&limit=20` }),
  W5: () => ({ method: 'GET', path: '/stats/overview' }),
  W3: (data) => ({ method: 'POST', path: '/scores', body: single(data) }),
  W3k: (data) => ({ method: 'POST', path: '/scores', body: single(data), keyed: true }),
  W4: (data) => ({ method: 'POST', path: '/scores', body: batch(data) }),
} as const satisfies Record<string, (data: Dataset) => Request>;

export type WorkloadName = keyof typeof workloads;

export const workloadNames = Object.keys(workloads) as readonly WorkloadName[];
