import { kindsOf } from 'virtual:admin-contract';
import { operations } from 'virtual:contract';
import { MutationCache, type QueryClient, type QueryKey } from '@tanstack/react-query';
import type { OperationId } from './operation-types.ts';

/**
 * Reads whose answers are out of date after a write: those that show a kind of thing that it affects, as the contract
 * says. A thing that it deleted is not asked for any more. Pages of students ask themselves.
 */
export function outdatedBy(write: OperationId): readonly OperationId[] {
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
 * Has what writes outdated asked for again.
 *
 * @param when `none`: only when it is shown next, even where it is shown now
 */
export async function outdate(
  client: QueryClient,
  writes: readonly OperationId[],
  when: 'active' | 'none' = 'active',
): Promise<void> {
  const stale: ReadonlySet<QueryKey[number]> = new Set(writes.flatMap(outdatedBy));
  await client.invalidateQueries({ predicate: ({ queryKey }) => stale.has(queryKey[0]), refetchType: when });
}

/**
 * Has what every write by `useMutationOf` outdated asked for again, once the page has dealt with the answer; until then
 * the write is under way. Only administrators write what is shown to them.
 */
export function outdatingWrites(): MutationCache {
  return new MutationCache({
    onSettled: async (_data, error, _input, _context, { options }, { client }) => {
      const [write] = (options.mutationKey ?? []) as readonly OperationId[];
      if (!error && write) await outdate(client, [write]);
    },
  });
}
