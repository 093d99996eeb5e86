import { type BulkScores, type Entry, limits } from '@classledger/contract';
import type { SchoolData } from '../../access/school-data.ts';
import { AppError } from '../../app-error.ts';
import { codeOf } from '../../http/envelopes.ts';
import { findUsableTemplate } from '../templates/templates.ts';
import type { EntryOutcome, LedgerEntry } from './ledger/plan.ts';

/** What both doors share in giving points: from the entries of a request to those of the ledger, and back. */

interface Defaults {
  readonly scoreChange?: number | undefined;
  readonly description?: string | undefined;
}

interface EntryInput extends Defaults {
  readonly userId?: number | undefined;
  readonly username?: string | undefined;
}

interface BulkBody extends Defaults {
  readonly templateId?: number | undefined;
  readonly items: readonly Entry<EntryInput>[];
}

/**
 * The entries of a bulk request: an entry wins over the top of the request, which wins over the template.
 *
 * @throws AppError not_found, out_of_range (the template)
 */
export async function bulkEntries(data: SchoolData, body: BulkBody): Promise<LedgerEntry[]> {
  const template = body.templateId === undefined ? {} : await findUsableTemplate(data, body.templateId);
  const defaults = { ...template, ...given(body) };
  return body.items.map((item) =>
    item.fault ? faultyEntry(item.fault, item.raw) : entryOf(item.value, defaults),
  );
}

/** The defaults that the top of a request gives; what is absent there must not hide the template's. */
function given({ scoreChange, description }: Defaults): Defaults {
  return {
    ...(scoreChange === undefined ? {} : { scoreChange }),
    ...(description === undefined ? {} : { description }),
  };
}

/** An entry for the ledger; one that lacks what it needs carries its fault along. */
export function entryOf(input: EntryInput, defaults: Defaults): LedgerEntry {
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

/** What became of each entry, in the order of the request. */
export function bulkScores(outcomes: readonly EntryOutcome[]): BulkScores {
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
