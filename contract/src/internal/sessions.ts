import Type, { type Static } from 'typebox';
import { CreatedAt, Id, Input, is, Nullable, OneOf, Timestamp } from '../fields.ts';
import { internal } from '../operation.ts';
import { studentEvents } from './account-events.ts';
import { internalPaging } from './lists.ts';

const ofAdministrators = { tag: 'Administrator session', access: 'admin', duty: 'ownAccount' } as const;
const ofStudents = { tag: 'Student session', access: 'student' } as const;

const Address = is(Nullable(Type.String()), 'The address that it came from; null where it is not known.');
const UserAgent = is(Nullable(Type.String()), 'The browser or program; null where it is not known.');

export const Session = Type.Object(
  {
    id: Id,
    current: is(Type.Boolean(), 'Whether it is the one that asks.'),
    openedWith: is(OneOf(['password', 'passkey', 'provider', 'code']), 'By what the person signed in.'),
    shared: is(Type.Boolean(), 'On a computer that others use too: it ends sooner.'),
    ip: Address,
    userAgent: UserAgent,
    createdAt: CreatedAt,
    lastUsedAt: is(Timestamp, 'The last use, to some minutes; address and browser are those of then.'),
  },
  { title: 'Session' },
);
export type Session = Static<typeof Session>;

export const StudentEvent = Type.Object(
  {
    id: Id,
    createdAt: CreatedAt,
    kind: is(OneOf(studentEvents), 'What happened.'),
    ip: Address,
    userAgent: UserAgent,
  },
  { title: 'StudentEvent' },
);
export type StudentEvent = Static<typeof StudentEvent>;

const list = {
  method: 'GET',
  summary: 'List where you are signed in, last used first',
  shows: ['session'],
  query: Type.Object({ ...internalPaging }),
  data: Type.Array(Session),
} as const;
const end = {
  method: 'DELETE',
  summary: 'Sign out one of your devices',
  description: 'The session of the call itself, too.',
  target: { session: 'path.id' },
  affects: ['session', 'activity'],
  data: Type.Object({ id: Id }),
} as const;
const endOthers = {
  method: 'DELETE',
  summary: 'Sign out all your other devices',
  affects: ['session', 'activity'],
  data: Type.Object({ ended: is(Type.Integer({ minimum: 0 }), 'How many sessions ended.') }),
} as const;

export const listSessions = internal({
  id: 'listSessions',
  path: '/auth/sessions',
  ...ofAdministrators,
  ...list,
});

export const endSession = internal({
  id: 'endSession',
  path: '/auth/sessions/:id',
  ...ofAdministrators,
  ...end,
  activity: null,
});

export const endOtherSessions = internal({
  id: 'endOtherSessions',
  path: '/auth/sessions',
  ...ofAdministrators,
  ...endOthers,
  activity: null,
});

export const confirm = internal({
  id: 'confirm',
  method: 'POST',
  path: '/auth/confirm',
  ...ofAdministrators,
  summary: 'Confirm who you are',
  description:
    'For ten minutes this session may do what widens power; a sign-in counts as much. No other session is confirmed by it.',
  affects: ['activity'],
  activity: null,
  throttled: 'administratorConfirmations',
  body: Input({ password: is(Type.String({ maxLength: 500 }), 'Your own password, exactly as it is.') }),
  data: Type.Object({ confirmedUntil: is(Timestamp, 'Until then the session counts as confirmed.') }),
});

export const listStudentSessions = internal({
  id: 'listStudentSessions',
  path: '/auth/student/sessions',
  ...ofStudents,
  ...list,
});

export const endStudentSession = internal({
  id: 'endStudentSession',
  path: '/auth/student/sessions/:id',
  ...ofStudents,
  ...end,
});

export const endOtherStudentSessions = internal({
  id: 'endOtherStudentSessions',
  path: '/auth/student/sessions',
  ...ofStudents,
  ...endOthers,
});

export const listStudentEvents = internal({
  id: 'listStudentEvents',
  method: 'GET',
  path: '/auth/student/events',
  ...ofStudents,
  summary: 'List what happened to your account in the last 90 days, newest first',
  shows: ['activity'],
  query: Type.Object({ ...internalPaging }),
  data: Type.Array(StudentEvent),
});
