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

export interface Workload {
  readonly title: string;
  /** Writes make the data grow, so they run after the reads. */
  readonly writes: boolean;
  readonly draw: (data: Dataset, random: () => number) => Request;
}

const batchSize = 200;
const changes = [1, 1, 1, 2, 2, 3, 5, -1, -1, -2];

const pick = <T>(list: readonly T[], random: () => number) => list[Math.floor(random() * list.length)] as T;

function single(data: Dataset, random: () => number): string {
  const userId = pick(data.studentIds, random);
  return JSON.stringify({ userId, scoreChange: pick(changes, random), description: 'Homework handed in' });
}

function batch(data: Dataset, random: () => number): string {
  const chosen = new Set<number>();
  while (chosen.size < batchSize) chosen.add(pick(data.studentIds, random));
  const items = Array.from(chosen, (userId) => ({ userId, scoreChange: pick(changes, random) }));
  return JSON.stringify({ items, description: 'Seating check' });
}

export const workloads = {
  W1: {
    title: 'class list, best first',
    writes: false,
    draw: (data, random) => {
      const classId = pick(data.classIds, random);
      return {
        method: 'GET',
        path: `/students?classId=${classId}&sortBy=totalScore&order=desc&limit=20`,
      };
    },
  },
  W2: {
    title: "a student's newest records",
    writes: false,
    draw: (data, random) => ({
      method: 'GET',
      path: `/scores?userId=${pick(data.studentIds, random)}&limit=20`,
    }),
  },
  W3: {
    title: 'one score',
    writes: true,
    draw: (data, random) => ({ method: 'POST', path: '/scores', body: single(data, random) }),
  },
  W3k: {
    title: 'one score, idempotent',
    writes: true,
    draw: (data, random) => ({ method: 'POST', path: '/scores', body: single(data, random), keyed: true }),
  },
  W4: {
    title: `${batchSize} scores at once`,
    writes: true,
    draw: (data, random) => ({ method: 'POST', path: '/scores', body: batch(data, random) }),
  },
  W5: {
    title: 'overview of the school',
    writes: false,
    draw: () => ({ method: 'GET', path: '/stats/overview' }),
  },
} as const satisfies Record<string, Workload>;

export type WorkloadName = keyof typeof workloads;

export const workloadNames = Object.keys(workloads) as readonly WorkloadName[];
