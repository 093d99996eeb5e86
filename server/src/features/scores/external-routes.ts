import type { ExternalOperations } from '@classledger/contract';
import type { ExternalCall, ExternalHandlers } from '../../http/external-door.ts';
import { pageOf } from '../../http/paging.ts';
import { once } from '../../idempotency/once.ts';
import { bulkEntries, bulkScores, entryOf } from './bulk-routes.ts';
import type { Author, LedgerEntry } from './ledger/plan.ts';
import type { ScoreLedger } from './ledger/queue.ts';
import { listScores } from './list-scores.ts';
import { revokeScore } from './revoke-score.ts';

type WriteCall = ExternalCall<ExternalOperations['writeScores']>;

const authorOf = (call: { credential: { id: number } }): Author => ({
  tokenId: call.credential.id,
  adminId: null,
});

/** Scores at the external door. */
export function scoreRoutes(
  ledger: ScoreLedger,
): Pick<ExternalHandlers, 'listScores' | 'writeScores' | 'revokeScore'> {
  return {
    listScores: async ({ data, query }) => {
      const { page, limit, slice } = pageOf(query);
      const { userId, username, classId, gradeId, type, startDate, endDate } = query;
      const filter = { studentId: userId, username, classId, gradeId, type, from: startDate, to: endDate };
      const order = { by: query.sortBy ?? 'createdAt', direction: query.order ?? 'desc' } as const;
      return { ...(await listScores(data, filter, order, slice)), page, limit };
    },

    writeScores: (call) => (call.body.form === 'single' ? writeOne(ledger, call) : writeMany(ledger, call)),

    revokeScore: (call) => once(call, (own) => revokeScore(own, call.params.logId, authorOf(call), call.at)),
  };
}

function writeOne(ledger: ScoreLedger, call: WriteCall) {
  const body = call.body as Extract<WriteCall['body'], { form: 'single' }>;
  const entry = entryOf(body, {});
  if (entry.fault) throw entry.fault;
  return write(ledger, call, [entry], true);
}

async function writeMany(ledger: ScoreLedger, call: WriteCall) {
  const body = call.body as Exclude<WriteCall['body'], { form: 'single' }>;
  return write(ledger, call, await bulkEntries(call.data, body), false);
}

function write(ledger: ScoreLedger, call: WriteCall, entries: readonly LedgerEntry[], allOrNothing: boolean) {
  return ledger.write({
    range: call.credential.range,
    author: authorOf(call),
    at: call.at,
    entries,
    key: call.key,
    allOrNothing,
    answer: bulkScores,
  });
}
