import {
  type Body,
  type BulkScores,
  type Entry,
  type ExternalOperations,
  type InternalOperations,
  limits,
  type ScoreLog,
  type Student,
  type StudentTotals,
} from '@classledger/contract';
import type { Admin } from '../../access/sessions.ts';
import { AppError, invalidValue } from '../../errors/app-error.ts';
import type { KeyedCall, ReplayedAnswer } from '../../idempotency/idempotency-keys.ts';
import { findUsableTemplate } from '../templates/templates.ts';
import {
  type Author,
  type EntryOutcome,
  emptyEntry,
  type LedgerEntry,
  type ScoreWrite,
} from './ledger/plan.ts';
import type { ScoreLedger } from './ledger/score-ledger.ts';

interface AdminCall extends KeyedCall {
  readonly admin: Pick<Admin, 'id' | 'username' | 'name'>;
}

/** Gives points through the external API. @throws AppError */
export async function writeScores(
  ledger: ScoreLedger,
  call: KeyedCall & { readonly body: Body<ExternalOperations['writeScores']> },
  author: Author,
): Promise<BulkScores | ReplayedAnswer> {
  const { body } = call;
  if (body.form !== 'single') {
    const entries = await toLedgerEntries(call, body);
    return ledger.write({ ...scoreWrite(call, author, entries), answer: bulkScores });
  }
  const entry = toLedgerEntry(body, {}, call.at);
  if (entry.fault) throw entry.fault;
  return ledger.write({ ...scoreWrite(call, author, [entry]), allOrNothing: true, answer: bulkScores });
}

export function addScore(
  ledger: ScoreLedger,
  call: AdminCall & { readonly body: Body<InternalOperations['addScore']> },
) {
  const entry = toLedgerEntry(call.body, {}, call.at);
  return ledger.write({
    ...scoreWrite(call, adminAuthor(call), [entry]),
    includeStudents: true,
    allOrNothing: true,
    answer: ([outcome], students) => {
      const student = students.get(call.body.userId) as Student;
      return { log: toScoreLog(call, student, entry, outcome?.recordId as number), student };
    },
  });
}

export async function addScores(
  ledger: ScoreLedger,
  call: AdminCall & { readonly body: Body<InternalOperations['addScores']> },
) {
  const entries = await toLedgerEntries(call, call.body);
  return ledger.write({
    ...scoreWrite(call, adminAuthor(call), entries),
    includeStudents: true,
    answer: (outcomes, students) => ({
      ...bulkScores(outcomes),
      students: [...students.values()].map(totalsOf).sort((a, b) => a.id - b.id),
    }),
  });
}

export const adminAuthor = ({ admin }: { readonly admin: { readonly id: number } }): Author => ({
  tokenId: null,
  adminId: admin.id,
});

function scoreWrite({ data, at, key }: KeyedCall, author: Author, entries: readonly LedgerEntry[]) {
  return { range: data.range, author, at, entries, key } satisfies Omit<ScoreWrite, 'answer'>;
}

interface Defaults {
  readonly scoreChange?: number;
  readonly description?: string;
  readonly note?: string;
  readonly categoryId?: number | null;
}

interface EntryInput extends Defaults {
  readonly userId?: number;
  readonly username?: string;
  readonly externalId?: string;
  readonly cardNumber?: string;
  readonly occurredAt?: string;
}

interface BulkBody extends Defaults {
  readonly templateId?: number;
  readonly items: readonly Entry<EntryInput>[];
}

/** An entry's field overrides the body's, which overrides the template's. @throws AppError (the template) */
async function toLedgerEntries({ data, at }: KeyedCall, body: BulkBody): Promise<LedgerEntry[]> {
  const template = body.templateId === undefined ? {} : await findUsableTemplate(data, body.templateId);
  const defaults = { ...template, ...body };
  return body.items.map((item) =>
    item.fault ? faultyEntry(item.fault, item.raw) : toLedgerEntry(item.value, defaults, at),
  );
}

function toLedgerEntry(input: EntryInput, defaults: Defaults, at: Date): LedgerEntry {
  const change = input.scoreChange ?? defaults.scoreChange;
  const { userId, username, externalId, cardNumber, occurredAt = null } = input;
  const missing = [userId, username, externalId, cardNumber].every((name) => name === undefined)
    ? 'userId, username, externalId or cardNumber is required'
    : change === undefined
      ? 'scoreChange is required'
      : null;
  // A time slightly in the future means now, because clocks differ.
  const aheadMs = occurredAt === null ? 0 : Date.parse(occurredAt) - at.getTime();
  const isTooLate = aheadMs > limits.clockDifferenceSecondsMax * 1000;
  const lateFault = isTooLate ? invalidValue('occurredAt lies in the future') : null;
  return {
    studentId: userId ?? null,
    username: username ?? null,
    externalId: externalId ?? null,
    cardNumber: cardNumber ?? null,
    change: change ?? Number.NaN,
    description: input.description ?? defaults.description ?? '',
    note: (input.note ?? defaults.note) || null,
    // Null names no category, so it overrides a default.
    categoryId: (input.categoryId === undefined ? defaults.categoryId : input.categoryId) ?? null,
    occurredAt: aheadMs < 0 ? occurredAt : null,
    fault: missing !== null ? new AppError('missing_field', missing) : lateFault,
  };
}

function faultyEntry(
  fault: { kind: 'missing_field' | 'invalid_value'; message: string },
  raw: unknown,
): LedgerEntry {
  const named = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>;
  const { userId, username, scoreChange } = named;
  return {
    ...emptyEntry,
    studentId: typeof userId === 'number' && Number.isSafeInteger(userId) && userId > 0 ? userId : null,
    username: typeof username === 'string' ? username : null,
    change:
      typeof scoreChange === 'number' && Math.abs(scoreChange) <= limits.scoreChangeMax
        ? scoreChange
        : Number.NaN,
    fault: new AppError(fault.kind, fault.message),
  };
}

function bulkScores(outcomes: readonly EntryOutcome[]): BulkScores {
  let successCount = 0;
  const details = outcomes.map(({ fault, studentId, username, change, recordId }, index) => {
    if (!fault) successCount++;
    return {
      index,
      success: !fault,
      code: fault ? fault.code : 0,
      reason: fault ? fault.message : null,
      userId: studentId,
      username,
      scoreChange: change,
      logId: recordId,
    };
  });
  return { successCount, failedCount: details.length - successCount, totalCount: details.length, details };
}

export function totalsOf(student: Student): StudentTotals {
  const { id, classId, totalScore, addScore, deductScore, scoreCount } = student;
  return { id, classId, totalScore, addScore, deductScore, scoreCount };
}

function toScoreLog({ admin, at }: AdminCall, student: Student, entry: LedgerEntry, id: number): ScoreLog {
  const { id: userId, username, actualName, classId, className, gradeId, gradeName } = student;
  return {
    id,
    userId,
    username,
    actualName,
    classId,
    className,
    gradeId,
    gradeName,
    scoreChange: entry.change,
    description: entry.description,
    note: entry.note,
    categoryId: entry.categoryId,
    occurredAt: entry.occurredAt ?? at.toISOString(),
    createdAt: at.toISOString(),
    author: { type: 'admin', id: admin.id, name: admin.name ?? admin.username },
    termId: null,
    revokedAt: null,
    revokedBy: null,
  };
}
