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
import { issuePrintedCodes } from '../students/sign-in-code.ts';
import { passwordFields } from '../students/student-creation.ts';
import {
  countByOutcome,
  outcomeDetail,
  type UpsertOutcome,
  upsertEntries,
} from '../students/upsert-students.ts';
import { planParts, tooManyLinkedEntries } from './plan-parts.ts';

type Detail = CheckedStudents['details'][number];

const han = '\\p{Script=Han}';
const spaceBetweenHan = new RegExp(`(?<=${han})\\s+(?=${han})`, 'gu');

/** Removes differences of notation: blanks, letter width and kinds of middle dots. */
const normalise = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u200B-\u200D\u2060\uFEFF]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[•・‧∙]/g, '·')
    .replace(spaceBetweenHan, '')
    .trim();

function isSameValue(wanted: unknown, stored: unknown): boolean {
  if (typeof wanted !== 'string' || typeof stored !== 'string') return wanted === stored;
  return wanted === stored || normalise(wanted) === normalise(stored);
}

const rules = { isSame: isSameValue, allowSwaps: true };

type CheckCall = KeyedCall & {
  readonly body: Body<InternalOperations['checkImport']>;
  readonly hasDisconnected: () => boolean;
};

/** Applies each part and rolls it back. @throws AppError unavailable when the caller has disconnected */
export async function checkImport(passwords: InitialPasswords, call: CheckCall): Promise<CheckedStudents> {
  const { failed, parts } = await planList(call.data, call.body.batch);
  const details: Detail[] = [];
  for (const detail of failed) details[detail.index] = detail;
  for (const part of parts) {
    if (call.hasDisconnected()) throw unavailable();
    await upsertEntries(passwords, call, {
      ...rules,
      entries: part.map(({ entry }) => ({ value: entry })),
      dryRun: true,
      answer: (_, outcomes) => {
        for (const { position, entry } of part) {
          details[position] = toDetail(position, entry, outcomes.get(entry) as UpsertOutcome, true);
        }
      },
    });
  }
  return { ...countByOutcome(details), details };
}

/** Divides a list into parts, without the entries that fail before any part is applied. */
export async function planList(data: SchoolData, batch: readonly Entry<ImportEntry>[]) {
  const given = batch.map((entry) => (entry.fault ? null : entry.value));
  const { parts, rejected } = await planParts(data, given);
  const rowAt = (position: number): PartRow => ({ position, entry: given[position] as ImportEntry });
  const failed = batch.flatMap((entry, index) =>
    entry.fault ? toDetail(index, entry.raw, new AppError(entry.fault.kind, entry.fault.message), true) : [],
  );
  for (const index of rejected) failed.push(toDetail(index, given[index], tooManyLinkedEntries(), true));
  return { failed, parts: parts.map((part) => part.map(rowAt)) };
}

function toDetail(index: number, raw: unknown, outcome: UpsertOutcome, dryRun: boolean): Detail {
  const detail = outcomeDetail(index, raw, outcome, dryRun);
  if (outcome instanceof AppError || 'created' in outcome) return { ...detail, before: {}, after: {} };
  const { student, before, changed } = outcome;
  return { ...detail, before: pickFields(before, changed), after: pickFields(student, changed) };
}

/** Names a row when its passwords are sealed, so that they cannot be opened as the passwords of another row. */
export const secretsContext = (schoolId: number, importId: number, position: number) =>
  `${schoolId} ${importId} ${position}`;

const pickFields = (student: StudentIdentity, fields: readonly ChangedField[]): ImportEffect['before'] =>
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
        const made = [...outcomes.values()].flatMap((outcome) => ('created' in outcome ? outcome : []));
        const madeIds = made.map(({ created }) => created.id);
        const stored = made.map(({ prepared }) => prepared.stored).find((each) => each?.expiresAt);
        const codes = await issuePrintedCodes(own, madeIds, stored, at);
        const results = rows.map(({ position, entry }) => {
          const outcome = outcomes.get(entry) as UpsertOutcome;
          const detail = toDetail(position, entry, outcome, false);
          const slip =
            !(outcome instanceof AppError) && 'created' in outcome
              ? { ...passwordFields(outcome.prepared), signInCode: codes.get(outcome.created.id) }
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
    SELECT ${schoolId}::bigint, ${importId}::bigint, ${part}::int, n.id, n.action, n.before, n.after
    FROM jsonb_to_recordset(${JSON.stringify(effects)}::jsonb) AS n (id bigint, action text, before jsonb, after jsonb)`);
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

export interface StudentEffect extends Pick<ImportEffect, 'action' | 'before' | 'after'> {
  readonly id: number;
}

function effectOf({ id, action, before, after, missing, outcome }: PartResult): StudentEffect[] {
  if (id === null || outcome instanceof AppError || action === 'unchanged') return [];
  if ('created' in outcome) {
    return [{ id, action: 'created', before, after: pickFields(outcome.created, upsertedFields) }];
  }
  return [{ id, action: missing ? 'missing' : 'changed', before, after }];
}
