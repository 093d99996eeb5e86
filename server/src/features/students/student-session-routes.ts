import { SchoolData } from '../../access/school-data.ts';
import type { StudentSessions } from '../../access/student-sessions.ts';
import type { Database } from '../../database/connect.ts';
import { parseSchoolDb, sameSchool } from '../../http/chosen-school.ts';
import type { InternalHandlers } from '../../http/internal-door.ts';
import { readProfile } from './student-account.ts';
import type { StudentLogin } from './student-login.ts';

/** Sign-in and the own account of students. */
export function studentSessionRoutes(
  db: Database,
  login: StudentLogin,
  sessions: StudentSessions,
): Pick<InternalHandlers, 'studentLogin' | 'studentLogout' | 'getStudentMe' | 'changeStudentPassword'> {
  return {
    studentLogin: async ({ query, body, ip }) => {
      const { username, password } = body;
      const schoolDb = sameSchool(body.schoolDb, query.schoolDb);
      const chosen = schoolDb === undefined ? null : (parseSchoolDb(schoolDb) ?? 0);
      const { schoolId, id, token } = await login.signIn({ username, password, schoolId: chosen, ip });
      const data = new SchoolData(db, { schoolId, gradeId: null, classId: null });
      return { ...(await readProfile(data, id)), token };
    },

    studentLogout: async ({ session }) => {
      await sessions.close(session);
      return null;
    },

    getStudentMe: ({ data, student }) => readProfile(data, student.id),

    changeStudentPassword: async ({ data, student, session, body, ip }) => {
      await login.changePassword(student, data, session, body, ip);
      return { id: student.id, username: student.username };
    },
  };
}
