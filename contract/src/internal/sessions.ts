import Type, { type Static } from 'typebox';
import { CreatedAt, Id, Input, is, Nullable, OneOf, Timestamp, Titled } from '../fields.ts';
import { internal } from '../operation.ts';
import { studentEvents } from './account-events.ts';
import { internalPaging } from './lists.ts';

const ofAdministrators = { tag: 'Administrator session', access: 'admin', duty: 'ownAccount' } as const;
const ofStudents = { tag: 'Student session', access: 'student' } as const;

const Address = is(Nullable(Type.String()), 'The IP address, or null if unknown.');
const UserAgent = is(Nullable(Type.String()), 'The browser or program, or null if unknown.');

export const Session = Titled('Session', {
  id: Id,
  current: is(Type.Boolean(), 'Whether it is the session of this call.'),
  openedWith: is(OneOf(['password', 'passkey', 'provider', 'code']), 'How the person signed in.'),
  shared: is(Type.Boolean(), 'Whether the computer is shared. If so, the session ends sooner.'),
  ip: Address,
  userAgent: UserAgent,
  createdAt: CreatedAt,
  lastUsedAt: is(
    Timestamp,
    'Time of the last use, exact to some minutes. Address and browser are from the same time.',
  ),
});
export type Session = Static<typeof Session>;

export const StudentEvent = Titled('StudentEvent', {
  id: Id,
  createdAt: CreatedAt,
  kind: is(OneOf(studentEvents), 'What happened.'),
  ip: Address,
  userAgent: UserAgent,
});
export type StudentEvent = Static<typeof StudentEvent>;

const list = {
  summary: 'List your sessions, last used first',
  shows: ['session'],
  query: Type.Object({ ...internalPaging }),
  data: Type.Array(Session),
} as const;
const end = {
  summary: 'End one of your sessions',
  description: 'This may also be the session of the call itself.',
  target: { session: 'path.id' },
  affects: ['session', 'activity'],
  data: Type.Object({ id: Id }),
} as const;
const endOthers = {
  summary: 'End all your other sessions',
  affects: ['session', 'activity'],
  data: Type.Object({ ended: is(Type.Integer({ minimum: 0 }), 'Number of ended sessions.') }),
} as const;

export const administratorSessionOperations = internal({
  confirm: {
    route: 'POST /auth/confirm',
    ...ofAdministrators,
    summary: 'Confirm your identity',
    description:
      'Allows sensitive operations in this session for ten minutes, as a sign-in does. It does not confirm other sessions.',
    affects: ['activity'],
    activity: null,
    throttled: 'administratorConfirmations',
    body: Input({ password: is(Type.String({ maxLength: 500 }), 'Your own password, exactly as sent.') }),
    data: Type.Object({ confirmedUntil: is(Timestamp, 'When the confirmation of the session expires.') }),
  },

  listSessions: {
    route: 'GET /auth/sessions',
    ...ofAdministrators,
    ...list,
  },

  endSession: {
    route: 'DELETE /auth/sessions/:id',
    ...ofAdministrators,
    ...end,
    activity: null,
  },

  endOtherSessions: {
    route: 'DELETE /auth/sessions',
    ...ofAdministrators,
    ...endOthers,
    activity: null,
  },
});

export const studentSessionListOperations = internal({
  listStudentSessions: {
    route: 'GET /auth/student/sessions',
    ...ofStudents,
    ...list,
  },

  endStudentSession: {
    route: 'DELETE /auth/student/sessions/:id',
    ...ofStudents,
    ...end,
  },

  endOtherStudentSessions: {
    route: 'DELETE /auth/student/sessions',
    ...ofStudents,
    ...endOthers,
  },

  listStudentEvents: {
    route: 'GET /auth/student/events',
    ...ofStudents,
    summary: 'List the events of your account in the last 90 days, newest first',
    shows: ['activity'],
    query: Type.Object({ ...internalPaging }),
    data: Type.Array(StudentEvent),
  },
});
