import {
  type Body,
  type CheckedStudents,
  type Entry,
  type ImportEffect,
  type ImportEntry,
  type InternalOperations,
  type StudentIdentity,
  upsertedFields,
} from '@classledger/contract';
import { sql } from 'kysely';
import type { InitialPasswords } from '../../access/initial-passwords.ts';
import type { SchoolData } from '../../access/school-data.ts';
import type { Sealing } from '../../access/sealing.ts';
import type { Transaction } from '../../database/connect.ts';
import { AppError, unavailable } from '../../errors/app-error.ts';
import type { KeyedCall } from '../../idempotency/idempotency-keys.ts';
import type { ChangedField } from '../students/change-student.ts';
import { issueSignInCodes, printedCodeTerms } from '../students/sign-in-code.ts';
import { failedDetail, passwordFields } from '../students/student-creation.ts';
import {
  countByOutcome,
  type UpsertOutcome,
  type UpsertOutcomes,
  upsertEntries,
} from '../students/upsert-students.ts';
import { planParts, tooManyLinkedEntries } from './plan-parts.ts';
import { isSameValue } from './same-value.ts';

type Detail = CheckedStudents['details'][number];

const rules = { isSame: isSameValue, allowSwaps: true };

type CheckCall = KeyedCall & {
  readonly body: Body<InternalOperations['checkImport']>;
  readonly hasDisconnected: () => boolean;
};

/** Applies each part and rolls it back. @throws AppError unavailable when the caller has disconnected */
export async function checkImport(passwords: InitialPasswords, call: CheckCall): Promise<CheckedStudents> {
  const { batch } = call.body;
  const details: Detail[] = [];
  const valid: { readonly value: ImportEntry; readonly index: number }[] = [];
  for (const [index, entry] of batch.entries()) {
    if (entry.fault) details[index] = faultyDetail(index, entry);
    else valid.push({ value: entry.value, index });
  }
  const { parts, rejected } = await planParts(
    call.data,
    valid.map(({ value }) => value),
  );
  for (const { value, index } of rejected.flatMap((place) => valid[place] ?? [])) {
    details[index] = toDetail(index, value, tooManyLinkedEntries(), true);
  }
  for (const part of parts) {
    if (call.hasDisconnected()) throw unavailable();
    const entries = part.flatMap((place) => valid[place] ?? []);
    await upsertEntries(passwords, call, {
      ...rules,
      entries,
      dryRun: true,
      answer: (_, outcomes) => {
        for (const { value, index } of entries) {
          details[index] = toDetail(index, value, outcomes.get(value) as UpsertOutcome, true);
        }
      },
    });
  }
  return { ...countByOutcome(details), details };
}

export const faultyDetail = (
  index: number,
  { fault, raw }: Extract<Entry<unknown>, { raw: unknown }>,
): Detail => ({
  ...failedDetail(index, new AppError(fault.kind, fault.message), raw),
  ...{ action: null, before: {}, after: {} },
});

function toDetail(index: number, entry: ImportEntry, outcome: UpsertOutcome, dryRun: boolean): Detail {
  if (outcome instanceof AppError) {
    return { ...failedDetail(index, outcome, entry), action: null, before: {}, after: {} };
  }
  const common = { index, success: true, code: 0, reason: null };
  if ('created' in outcome) {
    const { id, username } = outcome.created;
    return { ...common, username, id: dryRun ? null : id, action: 'created', before: {}, after: {} };
  }
  const { student, before, changed } = outcome;
  const { id, username } = student;
  const action = changed.length > 0 ? 'updated' : 'unchanged';
  const changes = { before: pickFields(before, changed), after: pickFields(student, changed) };
  return { ...common, id, username, action, ...changes };
}

/** Names a row when its passwords are sealed, so that they cannot be opened as the passwords of another row. */
export const secretsContext = (schoolId: number, importId: number, position: number) =>
  `${schoolId} ${importId} ${position}`;

type Fields = ImportEffect['before'];

const pickFields = (student: StudentIdentity, fields: readonly ChangedField[]): Fields =>
  Object.fromEntries(
    upsertedFields.flatMap((field) => (fields.includes(field) ? [[field, student[field]]] : [])),
  );

export interface PartRow {
  readonly position: number;
  readonly entry: ImportEntry;
}

export interface PartToApply {
  readonly importId: number;
  readonly part: number;
  readonly rows: readonly PartRow[];
  /** Called first, to lock the run before students and classes. Throws when the part must be left out. */
  readonly lockRun: (own: SchoolData, tx: Transaction) => Promise<void>;
}

/** Applies a part of a run in one transaction, which also stores the results and the data for the undo. */
export async function applyPart(
  { passwords, sealing }: { readonly passwords: InitialPasswords; readonly sealing: Sealing },
  data: SchoolData,
  at: Date,
  { importId, part, rows, lockRun }: PartToApply,
): Promise<void> {
  await upsertEntries(
    passwords,
    { data, at, key: null },
    {
      ...rules,
      entries: rows.map(({ entry }) => ({ value: entry })),
      dryRun: false,
      lockFirst: lockRun,
      answer: async (own, outcomes) => {
        const codes = await issueCodesForCreated(own, outcomes, at);
        const results = rows.map(({ position, entry }) => {
          const outcome = outcomes.get(entry) as UpsertOutcome;
          const detail = toDetail(position, entry, outcome, false);
          const slip =
            !(outcome instanceof AppError) && 'created' in outcome
              ? { ...passwordFields(outcome.prepared), signInCode: codes?.get(outcome.created.id) }
              : null;
          const context = secretsContext(own.schoolId, importId, position);
          const secrets = slip && sealing.seal('imported passwords', context, JSON.stringify(slip));
          return { ...detail, missing: entry.missing ?? false, outcome, secrets };
        });
        await storeResults(own, importId, part, results);
      },
    },
  );
}

interface PartResult extends Detail {
  readonly missing: boolean;
  readonly outcome: UpsertOutcome;
  readonly secrets: Buffer | null;
}

async function storeResults(own: SchoolData, importId: number, part: number, results: readonly PartResult[]) {
  const { schoolId } = own;
  await own.execute(sql`
    UPDATE import_row w SET student_id = n.student_id, action = n.action, code = n.code, reason = n.reason,
      secrets = n.secrets
    FROM unnest(${results.map(({ index }) => index)}::int[], ${results.map(({ id }) => id)}::bigint[],
      ${results.map(({ action }) => action)}::text[], ${results.map(({ code }) => code)}::int[],
      ${results.map(({ reason }) => reason)}::text[], ${results.map(({ secrets }) => secrets)}::bytea[])
      AS n (position, student_id, action, code, reason, secrets)
    WHERE w.school_id = ${schoolId} AND w.import_id = ${importId} AND w.part = ${part} AND w.position = n.position`);
  const effects = results.flatMap(effectOf);
  await own.execute(sql`
    INSERT INTO import_effect (school_id, import_id, part, student_id, action, before, after)
    SELECT ${schoolId}, ${importId}, ${part}, n.student_id, n.action, n.before::jsonb, n.after::jsonb
    FROM unnest(${effects.map((one) => one.id)}::bigint[], ${effects.map(({ action }) => action)}::text[],
      ${effects.map(({ before }) => JSON.stringify(before))}::text[],
      ${effects.map(({ after }) => JSON.stringify(after))}::text[]) AS n (student_id, action, before, after)`);
  const countOf = (wanted: ImportEffect['action']) =>
    effects.filter(({ action }) => action === wanted).length;
  await own.execute(sql`
    UPDATE import_run SET parts = ${part}::int, done_count = done_count + ${results.length}::int,
      failed_count = failed_count + ${results.filter(({ success }) => !success).length}::int,
      created_count = created_count + ${countOf('created')}::int,
      changed_count = changed_count + ${countOf('changed')}::int,
      missing_count = missing_count + ${countOf('missing')}::int
    WHERE school_id = ${schoolId} AND id = ${importId}`);
}

interface EffectToStore extends Pick<ImportEffect, 'action' | 'before' | 'after'> {
  readonly id: number;
}

function effectOf({ id, action, before, after, missing, outcome }: PartResult): EffectToStore[] {
  if (id === null || outcome instanceof AppError || action === 'unchanged') return [];
  if ('created' in outcome) {
    return [{ id, action: 'created', before, after: pickFields(outcome.created, upsertedFields) }];
  }
  return [{ id, action: missing ? 'missing' : 'changed', before, after }];
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
    printedCodeTerms(stored, at),
  );
}
