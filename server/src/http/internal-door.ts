import {
  type ActivityLine,
  bodyBytesMax,
  type Data,
  type InternalOperation,
  type InternalOperations,
  internalOperations,
  kinds,
  limits,
  mayDo,
} from '@classledger/contract';
import '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ActivityLog } from '../access/activity-log.ts';
import { SchoolData } from '../access/school-data.ts';
import type { Admin, AdminSessions } from '../access/sessions.ts';
import type { StudentCaller, StudentSessions } from '../access/student-sessions.ts';
import { AppError, notFound, unavailable } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/connect.ts';
import { Listed } from '../database/page.ts';
import { inTurn, inTurnOf, type Turn } from '../database/turns.ts';
import { type KeyClaim, type KeysInUse, Replayed } from '../idempotency/idempotency-keys.ts';
import type { BodyMemory } from './body-memory.ts';
import { chooseSchool, takeSchool } from './chosen-school.ts';
import { internalFailure } from './envelopes.ts';
import type { FailureLog } from './failure-log.ts';
import { endpointOf, idempotencyKeyOf } from './idempotency-header.ts';
import { compileInput, type Input } from './input.ts';
import { readJsonBodies } from './json-body.ts';
import { isRefused } from './load.ts';
import type { RequestsUnderWay } from './requests-under-way.ts';
import { WholeLists } from './whole-lists.ts';

export const internalPrefix = '/api';
export const sessionCookie = 'classledger_session';

/** One call as a rule's adapter receives it. */
export interface InternalCall<O extends InternalOperation> extends Input<O> {
  /** Null on operations that are not an administrator's. */
  readonly admin: O extends { access: 'admin' } ? Admin : null;
  /** Null on operations that are not a student's. */
  readonly student: O extends { access: 'student' } ? StudentCaller : null;
  /** The value of the session cookie, or the student's token; empty on public operations. */
  readonly session: string;
  /**
   * The chosen school's data in the administrator's range, or the student's own class; null where the school is
   * optional and absent, and on public operations.
   */
  readonly data: O extends { school: 'required' } | { access: 'student' } ? SchoolData : SchoolData | null;
  readonly at: Date;
  /** The caller's address. */
  readonly ip: string;
  /** What was sent in x-confirm-password: as it is, and decoded; empty when it was absent. */
  readonly confirmations: readonly string[];
  /** Set on operations that honour idempotency keys, when the caller sent one. */
  readonly key: KeyClaim | null;
  /** Opens or ends the browser's session. */
  readonly setSession: (token: string | null) => void;
}

export type InternalHandler<O extends InternalOperation> = (
  call: InternalCall<O>,
) => Promise<
  | (Data<O> extends readonly (infer E)[] ? Listed<E> : Data<O>)
  | (O extends { idempotent: string } ? Replayed : never)
>;

/** A handler for every operation of the contract: one that is missing does not compile. */
export type InternalHandlers = {
  readonly [Id in keyof InternalOperations]: InternalHandler<InternalOperations[Id]>;
};

export interface InternalDoorOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly sessions: AdminSessions;
  readonly studentSessions: StudentSessions;
  readonly activity: ActivityLog;
  readonly failures: FailureLog;
  readonly underWay: RequestsUnderWay;
  /** For the bodies of those who are known, and of those who are not. */
  readonly bodies: { readonly known: BodyMemory; readonly strangers: BodyMemory };
  readonly keysInUse: KeysInUse;
  readonly keyLengthMax: number;
  readonly handlers: InternalHandlers;
}

/** The internal API under /api: sessions of administrators, its own envelope. */
export async function internalDoor(app: FastifyInstance, options: InternalDoorOptions): Promise<void> {
  const { bodies, failures, underWay } = options;
  const wholeLists = new WholeLists();
  readJsonBodies(app, ({ caller }) => (caller === nobody ? bodies.strangers : bodies.known));
  app.decorateRequest('caller');

  app.addHook('onRequest', async (request, reply) => {
    underWay.began(request.id);
    reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store' });
    if (isRefused(request.raw)) throw unavailable();
    refuseForeignOrigin(request);
    // Nothing else about the request matters then, not even its body.
    if (request.is404) throw notFound('The path or method');
  });

  app.setNotFoundHandler(() => {
    throw notFound('The path or method');
  });

  app.setErrorHandler((error, request, reply) => {
    const { status, message, retryAfterSeconds, internal } = internalFailure(error);
    if (internal) failures.report(error, 'internal error', { requestId: request.id });
    if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
    return reply.code(status).send({ success: false, data: null, message, requestId: request.id });
  });

  app.addHook('onSend', async (request) => {
    underWay.ended(request.id);
  });

  for (const [id, operation] of Object.entries(internalOperations)) {
    const handler = options.handlers[
      id as keyof InternalHandlers
    ] as unknown as InternalHandler<InternalOperation>;
    addRoute(app, operation, handler, wholeLists, options);
  }
}

function addRoute(
  app: FastifyInstance,
  operation: InternalOperation,
  handler: InternalHandler<InternalOperation>,
  wholeLists: WholeLists,
  options: InternalDoorOptions,
): void {
  const { db, clock, activity, failures, keysInUse } = options;
  const read = compileInput(operation);
  app.route({
    method: operation.method,
    url: operation.path,
    bodyLimit: bodyBytesMax(operation.body),
    // Before the body is read: nobody sends a large one without being known.
    onRequest: async (request) => {
      request.caller = await identify(operation, request, options);
    },
    schema: {
      response: {
        200: {
          type: 'object',
          properties: {
            success: { type: 'boolean' },
            data: operation.data,
            message: { type: 'string' },
            requestId: { type: 'string' },
          },
        },
      },
    },
    handler: async (request, reply) => {
      const { caller } = request;
      const { admin, student } = caller;
      const { schoolDb, query, body } = takeSchool(operation, request);
      const input = read({ params: request.params, query, body });
      const by = nameOf(caller, request.ip);
      let data: SchoolData | null = null;
      if (admin && operation.access === 'admin' && operation.school) {
        const { school } = operation;
        data = await inTurnOf(admin.schoolId ?? 0, by, () => chooseSchool(db, admin, schoolDb, school));
      } else if (student) {
        data = new SchoolData(db, student.range);
      }
      const at = clock();
      const key = claimOf(operation, request, caller, data, input.params, options.keyLengthMax);
      const call = {
        ...input,
        ...caller,
        data,
        at,
        ip: request.ip,
        confirmations: confirmations(request),
        key,
        setSession: (token: string | null) => setSession(request, reply, token),
      } as never;
      const turn: Turn = { school: data?.schoolId ?? 0, caller: by, slow: false };
      const answer = await inTurn(turn, () =>
        key && data ? keysInUse.hold(data, key, () => handler(call)) : handler(call),
      );
      if (answer instanceof Replayed) {
        reply.headers({ 'idempotency-replayed': 'true', 'original-request-id': answer.requestId });
        return { success: true, data: answer.data, message: 'ok', requestId: request.id };
      }
      if (answer instanceof Listed) {
        reply.header('x-total-count', answer.total);
        const { whole } = answer;
        if (whole) {
          const parts = async () => (await inTurn(turn, whole)).map((part) => () => inTurn(turn, part));
          return wholeLists.send(operation, parts, turn, request, reply);
        }
        return { success: true, data: answer.list, message: 'ok', requestId: request.id };
      }
      if (admin && 'activity' in operation && operation.activity) {
        const change = {
          admin,
          at,
          action: operation.id,
          ...subjectOf(operation.activity, operation.target, admin, data, input, answer),
        };
        await activity
          .record(change)
          .catch((error: unknown) => failures.report(error, 'activity not recorded'));
      }
      return { success: true, data: answer, message: 'ok', requestId: request.id };
    },
  });
}

interface Caller {
  readonly admin: Admin | null;
  readonly student: StudentCaller | null;
  readonly session: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** At the internal door. */
    caller: Caller;
  }
}

const nobody: Caller = { admin: null, student: null, session: '' };

/** Whose turn it is when callers of one school wait for the database. */
function nameOf({ admin, student }: Caller, ip: string): string {
  if (admin) return `admin ${admin.id}`;
  return student ? `student ${student.id}` : ip;
}

/** Who calls, and whether the role table lets them. @throws AppError unauthenticated, permission_denied */
async function identify(
  operation: InternalOperation,
  request: FastifyRequest,
  { sessions, studentSessions }: InternalDoorOptions,
): Promise<Caller> {
  if (operation.access === 'public') return nobody;
  if (operation.access === 'student') {
    const session = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const student = await inTurnOf(0, session, () => studentSessions.find(session));
    if (!student) throw new AppError('unauthenticated', 'Sign in first; there is no token or it has ended');
    return { admin: null, student, session };
  }
  const session = request.cookies[sessionCookie] ?? '';
  const admin = await inTurnOf(0, session, () => sessions.find(session));
  if (!admin) throw new AppError('unauthenticated', 'Sign in first; there is no session or it has ended');
  refuseOtherSession(request, admin);
  if (!mayDo(admin.role, operation.duty)) {
    throw new AppError('permission_denied', `The role ${admin.role} may not do this`);
  }
  return { admin, student: null, session };
}

/**
 * Tabs of one browser share its cookie: when somebody else signs in there, what an older tab still has to send
 * would count as theirs. A page that says whose it is is told to sign in again instead.
 */
function refuseOtherSession(request: FastifyRequest, admin: Admin): void {
  const expected = request.headers['x-expected-admin'];
  if (expected === undefined || expected === String(admin.id)) return;
  throw new AppError('unauthenticated', 'Sign in again; someone else has signed in on this browser');
}

/** The claim of a request on its Idempotency-Key; null without one, and where keys are not honoured. */
function claimOf(
  operation: InternalOperation,
  request: FastifyRequest,
  { admin, session }: Caller,
  data: SchoolData | null,
  params: Readonly<Record<string, number>>,
  lengthMax: number,
): KeyClaim | null {
  if (operation.access !== 'admin' || !operation.idempotent || !admin || !data) return null;
  const key = idempotencyKeyOf(request, lengthMax);
  if (key === null) return null;
  return {
    schoolId: data.schoolId,
    owner: `admin ${admin.id}`,
    key,
    endpoint: endpointOf(internalPrefix, operation, params),
    requestId: request.id,
    secret: operation.idempotent === 'sealed' ? session : null,
  };
}

/**
 * What a change was about and in which school. The operation declares its subject; the id stands where its target
 * says, or in the answer.
 */
function subjectOf(
  { subject }: ActivityLine,
  target: InternalOperation['target'],
  admin: Admin,
  data: SchoolData | null,
  { params, body }: { readonly params: object; readonly body: unknown },
  answer: unknown,
) {
  const told = fieldsOf(answer);
  const [part, field = 'id'] = target?.[subject]?.split('.') ?? [];
  const id = (part === 'path' ? fieldsOf(params) : part === 'body' ? fieldsOf(body) : told)[field];
  const name = told[kinds[subject] ?? ''];
  const targetId = typeof id === 'number' ? id : null;
  // A super admin has no school: the change is in the one that was chosen, that is changed, or that has the target.
  const ofTarget = subject === 'school' ? targetId : told.schoolId;
  const ofRequest = data?.schoolId ?? (typeof ofTarget === 'number' ? ofTarget : null);
  return {
    schoolId: admin.schoolId ?? ofRequest,
    targetId,
    targetName: typeof name === 'string' ? name : null,
  };
}

const fieldsOf = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;

/**
 * A browser tells where a request comes from; one from a page of somebody else is refused, so that such a page
 * cannot use the session. Other clients send neither header.
 */
function refuseForeignOrigin(request: FastifyRequest): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const site = request.headers['sec-fetch-site'];
  const { origin } = request.headers;
  const foreign =
    (site !== undefined && site !== 'same-origin' && site !== 'none') ||
    (origin !== undefined && origin !== `${request.protocol}://${request.host}`);
  if (foreign) throw new AppError('permission_denied', 'Requests from another origin are refused');
}

/** A header carries Latin-1 only, so a password in another script comes percent-encoded. */
function confirmations(request: FastifyRequest): string[] {
  const header = request.headers['x-confirm-password'];
  const sent = Array.isArray(header) ? header[0] : header;
  if (!sent) return [];
  try {
    const decoded = decodeURIComponent(sent);
    return decoded === sent ? [sent] : [sent, decoded];
  } catch {
    return [sent];
  }
}

function setSession(request: FastifyRequest, reply: FastifyReply, token: string | null): void {
  const attributes = {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: request.protocol === 'https',
  } as const;
  if (token === null) reply.clearCookie(sessionCookie, attributes);
  else reply.setCookie(sessionCookie, token, { ...attributes, maxAge: 7 * 24 * 3600 });
}

/**
 * The part of a list that an internal call asks for; without page and limit all of it.
 *
 * @param pageDefault for a list that is too long for that: the size of a page when no limit is given
 */
export function sliceOf(
  query: { page?: number | undefined; limit?: number | undefined },
  pageDefault: number | null = null,
) {
  const asked = query.limit ?? pageDefault;
  if (query.page === undefined && asked === null) return { offset: 0, limit: null };
  const limit = Math.min(asked ?? limits.internalPageSizeMax, limits.internalPageSizeMax);
  return { offset: ((query.page ?? 1) - 1) * limit, limit };
}
