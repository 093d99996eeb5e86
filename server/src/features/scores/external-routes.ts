import type { ExternalOperations } from '@classledger/contract';
import type { Database } from '../../database/connect.ts';
import type { ExternalCall, ExternalHandlers } from '../../http/external-door.ts';
import { pageOf } from '../../http/paging.ts';
import { Replayed } from '../idempotency/idempotency-keys.ts';
import { once } from '../idempotency/once.ts';
import { bulkEntries, bulkScores, entryOf } from './bulk-routes.ts';
import { listScores } from './list-scores.ts';
import { revokeScore } from './revoke-score.ts';
import type { Author, EntryOutcome, LedgerEntry, ScoreLedger } from './score-ledger.ts';

type WriteCall = ExternalCall<ExternalOperations['writeScores']>;

const authorOf = (call: { credential: { id: number } }): Author => ({
  tokenId: call.credential.id,
  adminId: null,
});

/** Scores at the external door. */
export function scoreRoutes(
  db: Database,
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

    writeScores: (call) =>
      call.body.form === 'single' ? writeOne(ledger, call) : writeMany(db, ledger, call),

    revokeScore: (call) =>
      once(
        db,
        call.key,
        call.at,
        async () => undefined,
        (tx) => revokeScore(call.data.through(tx), call.params.logId, authorOf(call), call.at),
      ),
  };
}

function writeOne(ledger: ScoreLedger, call: WriteCall) {
  const body = call.body as Extract<WriteCall['body'], { form: 'single' }>;
  const entry = entryOf(body, {});
  if (entry.fault) throw entry.fault;
  return write(ledger, call, [entry], (outcomes) => {
    const fault = outcomes[0]?.fault;
    if (fault) throw fault;
  });
}

async function writeMany(db: Database, ledger: ScoreLedger, call: WriteCall) {
  const body = call.body as Exclude<WriteCall['body'], { form: 'single' }>;
  const entries = await bulkEntries(db, call.data, call.key, body);
  return entries instanceof Replayed ? entries : write(ledger, call, entries, () => {});
}

function write(
  ledger: ScoreLedger,
  call: WriteCall,
  entries: readonly LedgerEntry[],
  check: (outcomes: readonly EntryOutcome[]) => void,
) {
  return ledger.write({
    range: call.credential.range,
    author: authorOf(call),
    at: call.at,
    entries,
    key: call.key,
    answer: (outcomes) => {
      check(outcomes);
      return bulkScores(outcomes);
    },
  });
}
