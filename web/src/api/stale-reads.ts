import { kindsOf } from 'virtual:admin-contract';
import { operations } from 'virtual:contract';
import { MutationCache, type QueryClient, type QueryKey } from '@tanstack/react-query';
import type { OperationId } from './operation-types.ts';

/**
 * Returns the reads whose answers a write makes stale: by the contract, they show a kind of data that it affects.
 * Excludes reads of the thing that the write deleted, and reads of students' pages.
 */
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

/**
 * Invalidates the reads that the writes make stale.
 *
 * @param when `none` fetches a stale read only when it is shown next, even if it is shown now
 */
export async function invalidateStaleReads(
  client: QueryClient,
  writes: readonly OperationId[],
  when: 'active' | 'none' = 'active',
): Promise<void> {
  const stale: ReadonlySet<QueryKey[number]> = new Set(writes.flatMap(staleReadsOf));
  await client.invalidateQueries({ predicate: ({ queryKey }) => stale.has(queryKey[0]), refetchType: when });
}

/**
 * Invalidates stale reads after each successful write by `useMutationOf`. The write counts as pending until the shown
 * reads are fetched again.
 */
export function createMutationCache(): MutationCache {
  return new MutationCache({
    onSettled: async (_data, error, _input, _context, { options }, { client }) => {
      const [write] = (options.mutationKey ?? []) as readonly OperationId[];
      if (!error && write) await invalidateStaleReads(client, [write]);
    },
  });
}
