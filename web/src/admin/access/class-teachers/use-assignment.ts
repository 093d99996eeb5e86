import type { AssignedTeachers } from '@classledger/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call, newIdempotencyKey } from '../../../api/call.ts';
import { useMutationOf } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { storedRuns } from '../../stored-runs.ts';
import type { InitialPassword } from '../../students/passwords/initial-password.ts';
import {
  type PlannedTeacher,
  requestEntriesOf,
  type TeacherOutcome,
  type TeacherRole,
} from './plan-teachers.ts';
import { texts } from './texts.ts';

export interface SkippedTeacher {
  readonly row: PlannedTeacher;
  readonly outcome: TeacherOutcome;
}

interface Assignment {
  readonly idempotencyKey: string;
  readonly role: TeacherRole;
  readonly rows: readonly PlannedTeacher[];
  /** Rows that are not sent. */
  readonly left: readonly SkippedTeacher[];
}

/** Sends a list. A reloaded page can send it again under its key, until the user saves the passwords or leaves. */
export function useAssignment() {
  const { id: adminId } = useMe();
  const { schoolDb } = useSchool();
  const [assignment, setAssignment] = useState(() => storedRuns.find<Assignment>({ adminId, schoolDb }));
  const { mutate, data, error, isIdle } = useMutationOf('assignClassTeachers');
  const [isSaved, setSaved] = useState(false);
  const passwords = passwordsOf(assignment?.rows ?? [], data?.details ?? []);
  const isDone = data !== undefined && (isSaved || passwords.length === 0);
  useEffect(() => {
    if (assignment === null || isDone) return;
    storedRuns.save({ adminId, schoolDb }, assignment);
    return () => storedRuns.clear();
  }, [assignment, isDone, adminId, schoolDb]);
  const send = ({ role, rows, idempotencyKey }: Assignment) =>
    mutate({ body: { schoolDb, role, teachers: requestEntriesOf(rows) }, idempotencyKey });
  return {
    assignment,
    details: data?.details ?? null,
    error,
    /** True after a reload, before the list is sent again. */
    isInterrupted: assignment !== null && isIdle,
    passwords,
    isDone,
    onSaved: () => setSaved(true),
    start(role: TeacherRole, rows: readonly PlannedTeacher[], left: readonly SkippedTeacher[]) {
      const started = { idempotencyKey: newIdempotencyKey(), role, rows, left };
      setAssignment(started);
      send(started);
    },
    sendAgain: () => assignment && send(assignment),
    forget: () => setAssignment(null),
  };
}

const passwordsOf = (
  rows: readonly PlannedTeacher[],
  details: AssignedTeachers['details'],
): InitialPassword[] =>
  details.flatMap(({ index, initialPassword: password, passwordEndsAt = null }) => {
    const row = rows[index];
    if (!row || password === undefined) return [];
    const { actualName: name, username, classLabel } = row;
    return [{ name, username, classLabel, password, passwordEndsAt, signInCode: null }];
  });

/** Asks the server what it would do with each row. Returns the outcomes by line; null until they are known. */
export function useTeacherDryRun(role: TeacherRole, plan: readonly PlannedTeacher[]) {
  const { schoolDb } = useSchool();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['dry run of teachers', schoolDb, role, plan],
    queryFn: async ({ signal }) => {
      const outcomes = new Map<number, TeacherOutcome>(
        plan.map(({ line, fault }) => [line, { action: null, classBefore: null, fault }]),
      );
      const rows = plan.filter(({ fault }) => fault === null);
      if (rows.length === 0) return outcomes;
      const body = { schoolDb, role, teachers: requestEntriesOf(rows), dryRun: true };
      const { details } = await call('assignClassTeachers', { body, signal });
      const accounts = await call('listManagedAdministrators', { query: { schoolDb }, signal });
      const names = new Map(accounts.map(({ username, name }) => [username, name ?? '']));
      for (const { index, ...outcome } of details) {
        const row = rows[index];
        if (!row) continue;
        const isNamed =
          outcome.action === 'unchanged' && row.name !== '' && row.name !== names.get(row.username);
        outcomes.set(row.line, isNamed ? { ...outcome, action: 'named' } : outcome);
        if (row.name !== '') names.set(row.username, row.name);
      }
      return outcomes;
    },
    // Asks once each time that the step is shown.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    structuralSharing: false,
  });
  return { outcomes: data ?? null, error: isFetching ? null : error, retry: () => void refetch() };
}

export function useTeacherOutcomeText(): (
  outcome: TeacherOutcome,
  row: Pick<PlannedTeacher, 'classLabel' | 'subject'>,
) => string {
  const t = useTexts(texts);
  return ({ action, classBefore, fault }, { classLabel, subject }) => {
    if (fault === 'classUnknown' || fault === 'classAmbiguous') return t(fault, { class: classLabel });
    if (fault) return t(fault);
    if (action === 'moved' && classBefore)
      return t('outcomeMoveFrom', { class: `${classBefore.gradeName} ${classBefore.className}` });
    const text = t(`outcome_${action ?? 'unchanged'}`);
    const isNew = action === 'created' || action === 'added';
    return isNew && subject ? `${text}\n${subject}` : text;
  };
}
