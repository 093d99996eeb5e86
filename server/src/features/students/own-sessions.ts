import type { AccountEvents } from '../../access/account-events.ts';
import type { SchoolData } from '../../access/school-data.ts';
import type { Device } from '../../access/sessions.ts';
import { type StudentCaller, StudentSessions } from '../../access/student-sessions.ts';
import { notFound } from '../../app-error.ts';

/*
 * What students do with their own sessions (docs/contract.md, Sessions).
 */

/** A call with a token. */
interface OwnCall extends Device {
  readonly data: SchoolData;
  readonly student: StudentCaller;
  readonly session: string;
}

const accountOf = ({ data, student }: OwnCall) => ({ schoolId: data.schoolId, id: student.id });

/** Ends one of the own sessions, the one of the call too. @throws AppError not_found */
export async function endStudentSession(
  events: AccountEvents,
  call: OwnCall,
  id: number,
): Promise<{ id: number }> {
  if (!(await StudentSessions.end(call.data, call.student.id, id))) throw notFound('The session');
  events.recordStudentEvent(accountOf(call), 'sessionEnded', call);
  return { id };
}

/** Ends all own sessions but that of the call. */
export async function endOtherStudentSessions(
  events: AccountEvents,
  call: OwnCall,
): Promise<{ ended: number }> {
  const ended = await call.data.transaction((own) =>
    StudentSessions.closeAll(own, call.student.id, call.session),
  );
  if (ended > 0) events.recordStudentEvent(accountOf(call), 'otherSessionsEnded', call);
  return { ended };
}
