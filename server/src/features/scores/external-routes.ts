import { type BulkScores, type Entry, type ExternalOperations, limits } from '@classledger/contract';
import { AppError } from '../../app-error.ts';
import type { Database } from '../../database/connect.ts';
import { codeOf } from '../../http/envelopes.ts';
import type { ExternalCall, ExternalHandlers } from '../../http/external-door.ts';
import { pageOf } from '../../http/paging.ts';
import { findReplay } from '../idempotency/idempotency-keys.ts';
import { once, runOn } from '../idempotency/once.ts';
import { findUsableTemplate } from '../templates/templates.ts';
import { listScores } from './list-scores.ts';
import { revokeScore } from './revoke-score.ts';
import type { Author, EntryOutcome, LedgerEntry, ScoreLedger } from './score-ledger.ts';

type WriteCall = ExternalCall<ExternalOperations['writeScores']>;
type EntryInput = { userId?: number; username?: string; scoreChange?: number; description?: string };

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
  const { body } = call;
  const entry = entryOf(body as EntryInput, {});
  if (entry.fault) throw entry.fault;
  return write(ledger, call, [entry], (outcomes) => {
    const fault = outcomes[0]?.fault;
    if (fault) throw fault;
  });
}

async function writeMany(db: Database, ledger: ScoreLedger, call: WriteCall) {
  const body = call.body as Exclude<WriteCall['body'], { form: 'single' }>;
  if (body.form === 'template' && call.key) {
    // The template may be gone by now, the answer that was given is not.
    const earlier = await findReplay(runOn(db), call.key);
    if (earlier) return earlier;
  }
  const template = body.form === 'template' ? await findUsableTemplate(call.data, body.templateId) : {};
  const defaults = { ...template, ...given(body) };
  const entries = (body.items as readonly Entry<EntryInput>[]).map((item) =>
    item.fault ? faultyEntry(item.fault, item.raw) : entryOf(item.value, defaults),
  );
  return write(ledger, call, entries, () => {});
}

interface Defaults {
  readonly scoreChange?: number | undefined;
  readonly description?: string | undefined;
}

/** The defaults that the top of a request gives; what is absent there must not hide the template's. */
function given({ scoreChange, description }: Defaults): Defaults {
  return {
    ...(scoreChange === undefined ? {} : { scoreChange }),
    ...(description === undefined ? {} : { description }),
  };
}

function entryOf(input: EntryInput, defaults: Defaults): LedgerEntry {
  const change = input.scoreChange ?? defaults.scoreChange;
  const missing =
    input.userId === undefined && input.username === undefined
      ? 'userId or username is required'
      : change === undefined
        ? 'scoreChange is required'
        : null;
  return {
    studentId: input.userId ?? null,
    username: input.username ?? null,
    change: change ?? Number.NaN,
    description: input.description ?? defaults.description ?? '',
    fault: missing === null ? null : new AppError('missing_field', missing),
  };
}

function faultyEntry(
  fault: { kind: 'missing_field' | 'invalid_value'; message: string },
  raw: unknown,
): LedgerEntry {
  const named = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>;
  const { userId, username, scoreChange } = named;
  return {
    studentId: typeof userId === 'number' && Number.isSafeInteger(userId) && userId > 0 ? userId : null,
    username: typeof username === 'string' ? username : null,
    change:
      typeof scoreChange === 'number' && Math.abs(scoreChange) <= limits.scoreChangeMax
        ? scoreChange
        : Number.NaN,
    description: '',
    fault: new AppError(fault.kind, fault.message),
  };
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

function bulkScores(outcomes: readonly EntryOutcome[]): BulkScores {
  let successCount = 0;
  const details = outcomes.map(({ fault, studentId, username, change, recordId }, index) => {
    if (!fault) successCount++;
    return {
      index,
      success: !fault,
      code: fault ? codeOf(fault.kind) : 0,
      reason: fault ? fault.message : null,
      userId: studentId,
      username,
      scoreChange: change,
      logId: recordId,
    };
  });
  return { successCount, failedCount: details.length - successCount, totalCount: details.length, details };
}
