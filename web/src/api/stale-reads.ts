import { kindsOf } from 'virtual:admin-contract';
import { operations } from 'virtual:contract';
import { MutationCache, type QueryClient, type QueryKey } from '@tanstack/react-query';
import type { OperationId } from './operation-types.ts';

/** Returns the administrators' reads that show data changed by the write, except reads of the deleted object. */
export function staleReadsOf(write: OperationId): readonly OperationId[] {
  const affected = kindsOf[write];
  const isAffected = (id: OperationId) =>
    operations[id][0] === 'GET' &&
    operations[id][2] !== 'student' &&
    kindsOf[id].some((kind) => affected.includes(kind)) &&
    !(
      operations[write][0] === 'DELETE' &&
      /:/.test(operations[write][1]) &&
      operations[id][1] === operations[write][1]
    );
  return (Object.keys(operations) as OperationId[]).filter(isAffected);
}

/** Invalidates the stale reads. @param when `none` delays the refetch until a component uses the read again */
export async function invalidateStaleReads(
  client: QueryClient,
  writes: readonly OperationId[],
  when: 'active' | 'none' = 'active',
): Promise<void> {
  const stale: ReadonlySet<QueryKey[number]> = new Set(writes.flatMap(staleReadsOf));
  await client.invalidateQueries({ predicate: ({ queryKey }) => stale.has(queryKey[0]), refetchType: when });
}

/** Keeps a write of `useMutationOf` pending until the visible stale reads are fetched again. */
export function createMutationCache(): MutationCache {
  return new MutationCache({
    onSettled: async (_data, error, _input, _context, { options }, { client }) => {
      const [write] = (options.mutationKey ?? []) as readonly OperationId[];
      if (!error && write) await invalidateStaleReads(client, [write]);
    },
  });
}
