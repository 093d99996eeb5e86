import { isDeepStrictEqual } from 'node:util';
import { type Endpoint, sendRequest } from './load/run-job.ts';
import { type Dataset, type WorkloadName, workloads } from './workloads.ts';

type Json = Record<string, unknown>;

export async function assertSameAnswers(server: Endpoint, floor: Endpoint, data: Dataset): Promise<void> {
  for (const workload of ['W1', 'W2', 'W5'] satisfies WorkloadName[]) {
    const request = workloads[workload](data);
    const { data: fromServer } = (await sendRequest(server, request)) as { data: Json };
    const fromFloor = (await sendRequest(floor, request)) as Json;
    const alike =
      workload === 'W5' ? flatOverview(fromServer) : { list: fromServer.list, total: fromServer.total };
    if (!isDeepStrictEqual(alike, fromFloor)) {
      throw new Error(
        `${request.path}: the server answers ${JSON.stringify(alike)}, the floor ${JSON.stringify(fromFloor)}`,
      );
    }
  }
}

function flatOverview({ structure, scores, topStudents }: Json): Json {
  const leaders = (topStudents as Json[]).map(({ rank: _, ...leader }) => leader);
  return { ...(structure as Json), ...(scores as Json), topStudents: leaders };
}
