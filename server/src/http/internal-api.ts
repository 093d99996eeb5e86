import type { Readable } from 'node:stream';
import {
  bodyBytesMax,
  type Data,
  type Duty,
  type InternalOperation,
  type InternalOperationId,
  type InternalOperations,
  internalOperations,
  limits,
  namesOf,
  type PasswordThrottle,
} from '@classledger/contract';
import fastifyCookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountEvents } from '../access/account-events.ts';
import { recordActivity } from '../access/activity-log.ts';
import type { Browser, KnownDevices } from '../access/known-devices.ts';
import { findAdminAccount, verifyOwnPassword } from '../access/passwords.ts';
import { SchoolData } from '../access/school-data.ts';
import type { Admin, AdminSessions, Device, OpenedSession, SignedInAdmin } from '../access/sessions.ts';
import { needsPassword } from '../access/step-up.ts';
import type { StudentCaller, StudentSessions } from '../access/student-sessions.ts';
import { requireNamedTargets } from '../access/targets.ts';
import type { AttemptOrigin, ThrottledAttempt, Throttles } from '../access/throttles.ts';
import { type Caller, runAsCaller } from '../database/caller.ts';
import type { Database } from '../database/connect.ts';
import { ListResult } from '../database/page.ts';
import { AppError } from '../errors/app-error.ts';
import { type KeyClaim, type KeysInUse, ReplayedAnswer } from '../idempotency/idempotency-keys.ts';
import { requestLogFields } from '../telemetry/trace-context.ts';
import type { Clock } from '../time/clock.ts';
import { type ApiContext, readKeyClaim, registerApi, unwrapReplay } from './api.ts';
import type { BodyMemory } from './body-memory.ts';
import {
  extractSchool,
  findChosenSchool,
  findRequiredSchool,
  parseSchoolDb,
  resolveNoSchool,
} from './chosen-school.ts';
import { internalFailure } from './envelopes.ts';
import type { FailureLog } from './failure-log.ts';
import { compileInput, type Input, internalInput } from './input.ts';
import {
  callerOf,
  checkRequest,
  identifyAdmin,
  identifyStudent,
  readConfirmationPasswords,
  requestContextOf,
} from './internal-callers.ts';
import { readBody } from './json-body.ts';
import { createReadOnlyFieldCheck, type RecordReader } from './read-only-fields.ts';
import { addressOf, internalPrefix } from './request-parts.ts';
import { WholeLists } from './whole-lists.ts';

export interface PublicCall<O extends InternalOperation> extends Input<O>, Device {
  readonly at: Date;
  /** Empty without a session cookie. */
  readonly session: string;
  readonly bearer: string;
  readonly setSession: (opened: OpenedSession | null) => void;
  readonly browser: Browser;
  /** The host without its port, and the origin, as the browser addresses this server. */
  readonly site: { readonly host: string; readonly origin: string };
  /** The cookie of the last passkey challenge; empty without one. */
  readonly challenged: string;
  readonly setChallenged: (value: string) => void;
  /** Returns whether the caller has disconnected, so that nobody gets the answer. */
  readonly hasDisconnected: () => boolean;
}

export interface StudentCall<O extends InternalOperation> extends PublicCall<O> {
  readonly student: StudentCaller;
  readonly session: string;
  readonly data: SchoolData;
}

export interface AdminCall<O extends InternalOperation, D extends SchoolData | null> extends PublicCall<O> {
  readonly admin: SignedInAdmin;
  /** Null where the operation has no school, or concerns all schools. */
  readonly data: D;
  /** Set when the caller sent a key, the call has a school, and the operation honours keys. */
  readonly key: KeyClaim | null;
}

type IdsOf<Kind> = {
  [Id in InternalOperationId]: InternalOperations[Id] extends Kind ? Id : never;
}[InternalOperationId];

type PublicId = IdsOf<{ access: 'public' }>;
type StudentId = IdsOf<{ access: 'student' }>;
type RequiredSchoolId = IdsOf<{ access: 'admin'; school: 'required' }>;
type OptionalSchoolId = IdsOf<{ access: 'admin'; school: 'optional' }>;
type AdminId = IdsOf<{ access: 'admin' }>;
type NoSchoolId = Exclude<AdminId, RequiredSchoolId | OptionalSchoolId>;

type Answer<O extends InternalOperation> = O extends { throttled: PasswordThrottle }
  ? ThrottledAttempt<Data<O>>
  : Promise<
      | (Data<O> extends readonly (infer E)[] ? ListResult<E> : Data<O>)
      | (O extends { idempotent: string } ? ReplayedAnswer : never)
    >;

type PublicRoutes = {
  readonly [Id in PublicId]: (call: PublicCall<InternalOperations[Id]>) => Answer<InternalOperations[Id]>;
};
type StudentRoutes = {
  readonly [Id in StudentId]: (call: StudentCall<InternalOperations[Id]>) => Answer<InternalOperations[Id]>;
};
type AdminRoutes<Ids extends InternalOperationId, D extends SchoolData | null> = {
  readonly [Id in Ids]: (call: AdminCall<InternalOperations[Id], D>) => Answer<InternalOperations[Id]>;
};

/** A missing route does not compile. A route with a password throttle returns a `ThrottledAttempt`. */
export type InternalRoutes = PublicRoutes &
  StudentRoutes &
  AdminRoutes<NoSchoolId, null> &
  AdminRoutes<OptionalSchoolId, SchoolData | null> &
  AdminRoutes<RequiredSchoolId, SchoolData>;

type StudentRecords = {
  readonly [Id in StudentId]?: RecordReader<StudentCall<InternalOperations[Id]>>;
};
type AdminRecords<Ids extends InternalOperationId, D extends SchoolData | null> = {
  readonly [Id in Ids]?: RecordReader<AdminCall<InternalOperations[Id], D>>;
};

/** Readers for the records that PATCH operations change. The start fails when a required reader is missing. */
export type InternalRecords = StudentRecords &
  AdminRecords<NoSchoolId, null> &
  AdminRecords<OptionalSchoolId, SchoolData | null> &
  AdminRecords<RequiredSchoolId, SchoolData>;

export interface InternalApiOptions extends ApiContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly sessions: AdminSessions;
  readonly studentSessions: StudentSessions;
  readonly throttles: Throttles;
  readonly devices: KnownDevices;
  readonly events: AccountEvents;
  readonly failures: FailureLog;
  readonly bodies: Readonly<Record<'known' | 'lists' | 'unknown', BodyMemory>>;
  readonly keysInUse: KeysInUse;
  readonly keyLengthMax: number;
  /** Asks for confirmations also in sessions that did not choose them at sign-in. */
  readonly requireConfirmations: boolean;
  readonly routes: InternalRoutes;
  readonly records: InternalRecords;
}

type AdminOperation = InternalOperation & { readonly access: 'admin' };

/** Registers the internal API under /api. Its steps follow docs/contract.md, Order of checks. */
export async function internalApi(app: FastifyInstance, options: InternalApiOptions): Promise<void> {
  const { db, clock, sessions, studentSessions, throttles, devices, events, failures } = options;
  const { bodies, keysInUse, keyLengthMax, requireConfirmations, routes, records } = options;
  const wholeLists = new WholeLists();
  await app.register(fastifyCookie);

  const add = registerApi(app, options, {
    name: 'internal',
    createState: () => ({ cutOff() {} }),
    checkCaller: async (request) => checkRequest(request),
    toErrorEnvelope: (error, request, reply) => {
      const { status, message, retryAfterSeconds, isServerFault, reason } = internalFailure(error);
      if (isServerFault) failures.reportRequest(error, requestLogFields(request));
      reply.code(status);
      if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
      return { success: false, data: null, message, ...(reason && { reason }), requestId: request.id };
    },
    onAnswered: () => {},
  });

  /** Builds the envelope. Streams a list that is too long for one read. */
  const envelope = async (
    operation: InternalOperation,
    answer: unknown,
    caller: Caller,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<object | Readable> => {
    if (!(answer instanceof ListResult)) {
      return { success: true, data: unwrapReplay(answer, reply), message: 'ok', requestId: request.id };
    }
    reply.header('x-total-count', answer.total);
    const { list, loadParts } = answer;
    if (!loadParts) return { success: true, data: list, message: 'ok', requestId: request.id };
    const parts = async () =>
      (await runAsCaller(caller, loadParts)).map((part) => () => runAsCaller(caller, part));
    return wholeLists.read(operation, parts, caller, request, reply);
  };

  /** @throws AppError missing_parameter (no password was sent), permission_denied (wrong), rate_limited, unavailable */
  const confirmPassword = (
    admin: Admin,
    passwordReadings: readonly string[],
    caller: Device & AttemptOrigin & { readonly at: Date },
  ) => {
    if (passwordReadings.length === 0) {
      throw new AppError(
        'missing_parameter',
        'Send your password in the header x-confirm-password, or first confirm this session with a passkey or at your sign-in provider',
      );
    }
    const attempt: ThrottledAttempt<string> = {
      name: String(admin.id),
      refusal: () => new AppError('permission_denied', 'The password in x-confirm-password is wrong'),
      prepare: async () => ({
        account: await findAdminAccount(db, admin.id),
        check: async () => {
          const right = await verifyOwnPassword(db, admin.id, passwordReadings, caller.at);
          if (right === null) events.recordAdminEvent(admin, 'confirmationFailed', caller);
          return right;
        },
      }),
    };
    return throttles.runAttempt('administratorConfirmations', attempt, caller);
  };

  const publicRoutes: PublicRoutes = routes;
  const addPublicOperation = <Id extends PublicId>(id: Id) => {
    const operation = internalOperations[id];
    const read = compileInput(operation, internalInput);
    const rule = throttles.guard(operation, publicRoutes[id]);
    const bytesMax = bytesMaxOf(operation);
    add(operation, envelopeOf(operation.data), async (request, reply) => {
      checkRequest(request);
      using body = await readBody(request, bytesMax, bodies.unknown);
      const input = read({ params: request.params, query: request.query, body: body.value });
      const call = { ...input, ...requestContextOf(request, reply, clock, devices) };
      const caller = callerOf(request, 0, addressOf(request));
      const answer = await runAsCaller(caller, () => rule(call));
      return envelope(operation, answer, caller, request, reply);
    });
  };

  const studentRoutes: StudentRoutes = routes;
  const studentRecords: StudentRecords = records;
  const addStudentOperation = <Id extends StudentId>(id: Id) => {
    const operation = internalOperations[id];
    const read = compileInput(operation, internalInput);
    const rule = throttles.guard(operation, studentRoutes[id]);
    const requireUnchanged = createReadOnlyFieldCheck<StudentCall<InternalOperations[Id]>>(
      operation,
      studentRecords[id],
    );
    const bytesMax = bytesMaxOf(operation);
    add(operation, envelopeOf(operation.data), async (request, reply) => {
      checkRequest(request);
      let { student, session } = await identifyStudent(request, studentSessions);
      using body = await readBody(request, bytesMax, bodies.known);
      if (body.isLate) ({ student, session } = await identifyStudent(request, studentSessions));
      const input = read({ params: request.params, query: request.query, body: body.value });
      const data = new SchoolData(db, student.range, student.timeZone);
      const call = { ...input, ...requestContextOf(request, reply, clock, devices), student, session, data };
      const caller = callerOf(request, data.schoolId, `student ${student.id}`);
      const answer = await runAsCaller(caller, async () => {
        await requireUnchanged?.(call);
        return rule(call);
      });
      return envelope(operation, answer, caller, request, reply);
    });
  };

  const addAdminOperation = <O extends AdminOperation, D extends SchoolData | null>(
    operation: O,
    choose: (db: Database, admin: SignedInAdmin, duty: Duty, schoolDb: unknown) => Promise<D>,
    route: (call: AdminCall<O, D>) => unknown,
    recordOf: RecordReader<AdminCall<O, D>> | undefined,
  ) => {
    const read = compileInput(operation, internalInput);
    const rule = throttles.guard(operation, route);
    const bytesMax = bytesMaxOf(operation);
    const requireUnchanged = createReadOnlyFieldCheck<AdminCall<O, D>>(operation, recordOf);
    const memory = bytesMax > limits.bodyBytesMax ? bodies.lists : bodies.known;
    const { idempotent, school }: AdminOperation = operation;
    const keyed = idempotent ? { prefix: internalPrefix, operation, keyLengthMax } : null;
    const activityLine = ('activity' in operation && operation.activity) || null;
    add(operation, envelopeOf(operation.data), async (request, reply) => {
      checkRequest(request);
      let identified = await identifyAdmin(request, operation, sessions);
      using body = await readBody(request, bytesMax, memory);
      if (body.isLate) identified = await identifyAdmin(request, operation, sessions);
      const { schoolDb, ...sent } = extractSchool(operation, request, body.value);
      const input = read({ params: request.params, ...sent });
      const { admin, session, confirmation } = identified;
      const passwords = readConfirmationPasswords(request);
      const checksPassword = needsPassword({
        operation,
        body: input.body,
        confirmation,
        hasPassword: passwords.length > 0,
        isAlwaysAsked: requireConfirmations,
        now: clock(),
      });
      const owner = `admin ${admin.id}`;
      const caller = callerOf(request, admin.schoolId ?? parseSchoolDb(schoolDb) ?? 0, owner);
      const context = requestContextOf(request, reply, clock, devices);
      const { data, answer } = await runAsCaller(caller, async () => {
        const data = await choose(db, admin, operation.duty, schoolDb);
        const secret = idempotent === 'sealed' ? session : null;
        const key =
          keyed && data
            ? readKeyClaim(request, keyed, input.params, { schoolId: data.schoolId, owner, secret })
            : null;
        if (checksPassword) await confirmPassword(admin, passwords, context);
        const call = { ...input, ...context, admin, session, data, key };
        const answer = await keysInUse.runWithKey(key, data, async () => {
          if (data && school === 'required') await requireNamedTargets(data, operation, input);
          await requireUnchanged?.(call);
          return rule(call);
        });
        return { data, answer };
      });
      if (activityLine && !(answer instanceof ReplayedAnswer)) {
        const { logFields } = caller;
        const schoolId = data?.schoolId ?? null;
        const change = {
          ...input,
          ...context,
          admin,
          operation,
          line: activityLine,
          schoolId,
          answer,
          logFields,
        };
        // Runs as the caller, whose school waits if the activity log waits for a locked student.
        await runAsCaller(caller, () => recordActivity(db, app.log, change)).catch((error: unknown) =>
          failures.report(error, 'activity not recorded', logFields),
        );
      }
      return envelope(operation, answer, caller, request, reply);
    });
  };

  const addAdminOperations = <Id extends AdminId, D extends SchoolData | null>(
    ids: readonly Id[],
    choose: (db: Database, admin: SignedInAdmin, duty: Duty, schoolDb: unknown) => Promise<D>,
    adminRoutes: AdminRoutes<Id, D>,
    adminRecords: AdminRecords<Id, D>,
  ) => {
    for (const id of ids)
      addAdminOperation(internalOperations[id], choose, adminRoutes[id], adminRecords[id]);
  };

  const ids = namesOf(internalOperations);
  ids.filter(isPublic).forEach(addPublicOperation);
  ids.filter(isForStudents).forEach(addStudentOperation);
  addAdminOperations(ids.filter(takesNoSchool), resolveNoSchool, routes, records);
  addAdminOperations(ids.filter(takesSchool), findChosenSchool, routes, records);
  addAdminOperations(ids.filter(needsSchool), findRequiredSchool, routes, records);
}

const accessOf = (id: InternalOperationId) => internalOperations[id].access;
const schoolOf = (id: InternalOperationId) => {
  const operation: InternalOperation = internalOperations[id];
  return operation.access === 'admin' ? (operation.school ?? 'none') : null;
};
const isPublic = (id: InternalOperationId): id is PublicId => accessOf(id) === 'public';
const isForStudents = (id: InternalOperationId): id is StudentId => accessOf(id) === 'student';
const takesNoSchool = (id: InternalOperationId): id is NoSchoolId => schoolOf(id) === 'none';
const takesSchool = (id: InternalOperationId): id is OptionalSchoolId => schoolOf(id) === 'optional';
const needsSchool = (id: InternalOperationId): id is RequiredSchoolId => schoolOf(id) === 'required';

/** Fastify serialises only these fields. */
const envelopeOf = (data: object) => ({
  success: { type: 'boolean' },
  data,
  message: { type: 'string' },
  requestId: { type: 'string' },
});

const bytesMaxOf = ({ body }: InternalOperation) => bodyBytesMax(body);
