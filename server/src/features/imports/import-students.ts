import {
  type Body,
  type Entry,
  type ImportEffect,
  type ImportedStudents,
  type InternalOperations,
  type StudentIdentity,
  upsertedFields,
} from '@classledger/contract';
import { sql } from 'kysely';
import type { InitialPasswords } from '../../access/initial-passwords.ts';
import type { SchoolData } from '../../access/school-data.ts';
import type { Admin } from '../../access/sessions.ts';
import { AppError } from '../../errors/app-error.ts';
import type { KeyedCall, ReplayedAnswer } from '../../idempotency/idempotency-keys.ts';
import type { ChangedField } from '../students/change-student.ts';
import { issueSignInCodes, slipTerms } from '../students/sign-in-code.ts';
import { failedDetail, passwordFields } from '../students/student-creation.ts';
import {
  countByOutcome,
  type UpsertEntry,
  type UpsertOutcome,
  type UpsertOutcomes,
  upsertEntries,
} from '../students/upsert-students.ts';
import { lockImport, requireNotUndone } from './import-runs.ts';
import { isSameValue } from './same-value.ts';

type ImportBody = Body<InternalOperations['checkImport']>;
type Entries = readonly Entry<UpsertEntry>[];
type ImportCall = KeyedCall & { readonly admin: Admin; readonly body: ImportBody };

/** Runs the part and rolls the transaction back. */
export async function checkImport(passwords: InitialPasswords, call: ImportCall): Promise<ImportedStudents> {
  const { batch: entries, missing: onlyChanges = false } = call.body;
  const checked = await upsertEntries(passwords, call, {
    entries,
    dryRun: true,
    onlyChanges,
    isSame: isSameValue,
    allowSwaps: true,
    answer: (_, outcomes) => toImportedStudents(entries, outcomes, { codes: null, dryRun: true }),
  });
  return checked as ImportedStudents;
}

/**
 * Runs a part once per idempotency key; the same transaction stores the data for its undo.
 * @throws AppError not_found, out_of_range (the run), conflict when the run is undone
 */
export async function importStudents(
  passwords: InitialPasswords,
  call: ImportCall & { readonly params: { readonly id: number } },
): Promise<ImportedStudents | ReplayedAnswer> {
  const { batch: entries, missing = false } = call.body;
  const { id } = call.params;
  return upsertEntries(passwords, call, {
    entries,
    dryRun: false,
    onlyChanges: missing,
    isSame: isSameValue,
    allowSwaps: true,
    lockFirst: async (own) => requireNotUndone(await lockImport(own, call.admin, id)),
    answer: async (own, outcomes) => {
      await storeEffects(own, id, outcomes, missing);
      const codes = await issueCodesForCreated(own, outcomes, call.at);
      return toImportedStudents(entries, outcomes, { codes, dryRun: false });
    },
  });
}

type Fields = ImportEffect['before'];

const pickFields = (student: StudentIdentity, fields: readonly ChangedField[]): Fields =>
  Object.fromEntries(
    upsertedFields.flatMap((field) => (fields.includes(field) ? [[field, student[field]]] : [])),
  );

interface EffectToStore extends Pick<ImportEffect, 'action' | 'before' | 'after'> {
  readonly id: number;
}

function effectsOf(outcomes: UpsertOutcomes, missing: boolean): EffectToStore[] {
  return [...outcomes.values()].flatMap((outcome): EffectToStore | EffectToStore[] => {
    if (outcome instanceof AppError) return [];
    if ('created' in outcome) {
      const { created } = outcome;
      return { id: created.id, action: 'created', before: {}, after: pickFields(created, upsertedFields) };
    }
    const { before, student, changed } = outcome;
    if (changed.length === 0) return [];
    const action = missing ? 'missing' : 'changed';
    return {
      id: student.id,
      action,
      before: pickFields(before, changed),
      after: pickFields(student, changed),
    };
  });
}

async function storeEffects(own: SchoolData, id: number, outcomes: UpsertOutcomes, missing: boolean) {
  const effects = effectsOf(outcomes, missing);
  if (effects.length === 0) return;
  const { schoolId } = own;
  const countOf = (wanted: ImportEffect['action']) =>
    effects.filter(({ action }) => action === wanted).length;
  const [run] = await own.execute(sql<{ part: number }>`
    UPDATE import_run SET parts = parts + 1, created_count = created_count + ${countOf('created')}::int,
      changed_count = changed_count + ${countOf('changed')}::int,
      missing_count = missing_count + ${countOf('missing')}::int
    WHERE school_id = ${schoolId} AND id = ${id} RETURNING parts AS part`);
  await own.execute(sql`
    INSERT INTO import_effect (school_id, import_id, part, student_id, action, before, after)
    SELECT ${schoolId}, ${id}, ${run?.part}, n.student_id, n.action, n.before::jsonb, n.after::jsonb
    FROM unnest(${effects.map((one) => one.id)}::bigint[], ${effects.map(({ action }) => action)}::text[],
      ${effects.map(({ before }) => JSON.stringify(before))}::text[],
      ${effects.map(({ after }) => JSON.stringify(after))}::text[]) AS n (student_id, action, before, after)`);
}

async function issueCodesForCreated(
  own: SchoolData,
  outcomes: UpsertOutcomes,
  at: Date,
): Promise<Map<number, string> | null> {
  const newStudents = [...outcomes.values()].flatMap((outcome) =>
    !(outcome instanceof AppError) && 'created' in outcome ? outcome : [],
  );
  const stored = newStudents.map(({ prepared }) => prepared.stored).find((each) => each?.expiresAt);
  if (!stored?.expiresAt) return null;
  return issueSignInCodes(
    own,
    newStudents.map(({ created }) => created.id),
    slipTerms(stored, at),
  );
}

function toImportedStudents(
  entries: Entries,
  outcomes: UpsertOutcomes,
  { codes, dryRun }: { readonly codes: ReadonlyMap<number, string> | null; readonly dryRun: boolean },
): ImportedStudents {
  const details = entries.map((entry, index): ImportedStudents['details'][number] => {
    const outcome = entry.fault
      ? new AppError(entry.fault.kind, entry.fault.message)
      : (outcomes.get(entry.value) as UpsertOutcome);
    if (outcome instanceof AppError) {
      const failed = failedDetail(index, outcome, entry.fault ? entry.raw : entry.value);
      return { ...failed, action: null, before: {}, after: {} };
    }
    const common = { index, success: true, code: 0, reason: null };
    if ('created' in outcome) {
      const { id, username } = outcome.created;
      const signInCode = codes?.get(id);
      const shown = { ...passwordFields(outcome.prepared), ...(signInCode && { signInCode }) };
      const shownId = dryRun ? null : id;
      return { ...common, username, id: shownId, action: 'created', before: {}, after: {}, ...shown };
    }
    const { student, before, changed } = outcome;
    const action = changed.length > 0 ? 'updated' : 'unchanged';
    const { id, username } = student;
    return {
      ...common,
      ...{ id, username, action },
      before: pickFields(before, changed),
      after: pickFields(student, changed),
    };
  });
  return { ...countByOutcome(details), details };
}
