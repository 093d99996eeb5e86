import type { AccountEvents } from '../../access/account-events.ts';
import type { SchoolData } from '../../access/school-data.ts';
import type { Device } from '../../access/sessions.ts';
import { type StudentCaller, StudentSessions } from '../../access/student-sessions.ts';
import { notFound } from '../../errors/app-error.ts';

/* Lets students sign out their own sessions (docs/contract.md, Sessions). */

interface StudentSessionCall extends Device {
  readonly data: SchoolData;
  readonly student: StudentCaller;
  readonly session: string;
}

const accountOf = ({ data, student }: StudentSessionCall) => ({ schoolId: data.schoolId, id: student.id });

/** Signs out one of the caller's sessions, which can be the current one. @throws AppError not_found */
export async function endStudentSession(
  events: AccountEvents,
  call: StudentSessionCall,
  id: number,
): Promise<{ id: number }> {
  if (!(await StudentSessions.end(call.data, call.student.id, id))) throw notFound('The session');
  events.recordStudentEvent(accountOf(call), 'sessionEnded', call);
  return { id };
}

export async function endOtherStudentSessions(
  events: AccountEvents,
  call: StudentSessionCall,
): Promise<{ ended: number }> {
  const ended = await call.data.transaction((own) =>
    StudentSessions.closeAll(own, call.student.id, call.session),
  );
  if (ended > 0) events.recordStudentEvent(accountOf(call), 'otherSessionsEnded', call);
  return { ended };
}
