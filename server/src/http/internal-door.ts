import type { Readable } from 'node:stream';
import {
  bodyBytesMax,
  type Data,
  type InternalOperation,
  type InternalOperationId,
  type InternalOperations,
  internalOperations,
  type PasswordThrottle,
} from '@classledger/contract';
import fastifyCookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountEvents } from '../access/account-events.ts';
import type { ActivityLog } from '../access/activity-log.ts';
import type { Browser, KnownDevices } from '../access/known-devices.ts';
import { findAdminAccount, verifyOwnPassword } from '../access/passwords.ts';
import { SchoolData } from '../access/school-data.ts';
import type { Admin, AdminSessions, Device, OpenedSession, SignedInAdmin } from '../access/sessions.ts';
import { needsPassword } from '../access/step-up.ts';
import type { StudentCaller, StudentSessions } from '../access/student-sessions.ts';
import { requireNamedTargets } from '../access/targets.ts';
import type { Attempt, Origin, Throttles } from '../access/throttles.ts';
import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/connect.ts';
import { Listed } from '../database/page.ts';
import { inTurn, type Turn } from '../database/turns.ts';
import { type KeyClaim, type KeysInUse, Replayed } from '../idempotency/idempotency-keys.ts';
import { namesOf } from '../telemetry/trace-context.ts';
import type { BodyMemory } from './body-memory.ts';
import { addressOf } from './caller-address.ts';
import { chosenSchool, noSchool, parseSchoolDb, requiredSchool, takeSchool } from './chosen-school.ts';
import { type Around, claimOf, dataOf, idsOf, openDoor } from './door.ts';
import { internalFailure } from './envelopes.ts';
import type { FailureLog } from './failure-log.ts';
import { compileInput, type Input, internalInput } from './input.ts';
import { callerOf, confirmationsOf, enter, identifyAdmin, identifyStudent } from './internal-callers.ts';
import { readBody } from './json-body.ts';
import { type RecordReader, sentBackCheck } from './read-only-fields.ts';
import { WholeLists } from './whole-lists.ts';

export const internalPrefix = '/api';

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
type InSchoolId = IdsOf<{ access: 'admin'; school: 'required' }>;
type AnywhereId = IdsOf<{ access: 'admin'; school: 'optional' }>;
type OwnId = Exclude<IdsOf<{ access: 'admin' }>, InSchoolId | AnywhereId>;

type Answer<O extends InternalOperation> = O extends { throttled: PasswordThrottle }
  ? Attempt<Data<O>>
  : Promise<
      | (Data<O> extends readonly (infer E)[] ? Listed<E> : Data<O>)
      | (O extends { idempotent: string } ? Replayed : never)
    >;

/**
 * A route that is missing or in the wrong group does not compile. An operation that honours idempotency keys may return
 * a replayed answer. One with a password throttle returns an attempt for `Throttles`.
 */
export interface InternalRoutes {
  readonly ofAnybody: {
    readonly [Id in PublicId]: (call: PublicCall<InternalOperations[Id]>) => Answer<InternalOperations[Id]>;
  };
  readonly ofStudents: {
    readonly [Id in StudentId]: (call: StudentCall<InternalOperations[Id]>) => Answer<InternalOperations[Id]>;
  };
  readonly ofAdmins: {
    readonly [Id in OwnId]: (call: AdminCall<InternalOperations[Id], null>) => Answer<InternalOperations[Id]>;
  };
  /** Operations in one school, or in all that the administrator may see. */
  readonly ofAdminsAnywhere: {
    readonly [Id in AnywhereId]: (
      call: AdminCall<InternalOperations[Id], SchoolData | null>,
    ) => Answer<InternalOperations[Id]>;
  };
  readonly ofAdminsInSchool: {
    readonly [Id in InSchoolId]: (
      call: AdminCall<InternalOperations[Id], SchoolData>,
    ) => Answer<InternalOperations[Id]>;
  };
}

/** Readers for the records that PATCH operations change. The start fails when a required reader is missing. */
export interface InternalRecords {
  readonly ofStudents: {
    readonly [Id in StudentId]?: RecordReader<StudentCall<InternalOperations[Id]>>;
  };
  readonly ofAdmins: {
    readonly [Id in OwnId]?: RecordReader<AdminCall<InternalOperations[Id], null>>;
  };
  readonly ofAdminsAnywhere: {
    readonly [Id in AnywhereId]?: RecordReader<AdminCall<InternalOperations[Id], SchoolData | null>>;
  };
  readonly ofAdminsInSchool: {
    readonly [Id in InSchoolId]?: RecordReader<AdminCall<InternalOperations[Id], SchoolData>>;
  };
}

export interface InternalDoorOptions extends Around {
  readonly db: Database;
  readonly clock: Clock;
  readonly sessions: AdminSessions;
  readonly studentSessions: StudentSessions;
  readonly throttles: Throttles;
  readonly devices: KnownDevices;
  readonly activity: ActivityLog;
  readonly events: AccountEvents;
  readonly failures: FailureLog;
  readonly bodies: { readonly known: BodyMemory; readonly strangers: BodyMemory };
  readonly keysInUse: KeysInUse;
  readonly keyLengthMax: number;
  /** Asks for confirmations also in sessions that did not choose them at sign-in. */
  readonly requireConfirmations: boolean;
  readonly routes: InternalRoutes;
  readonly records: InternalRecords;
}

type AdminOperation = InternalOperation & { readonly access: 'admin' };

/** Registers the internal API under /api. Its steps follow docs/contract.md, Order of checks. */
export async function internalDoor(app: FastifyInstance, options: InternalDoorOptions): Promise<void> {
  const {
    db,
    clock,
    sessions,
    studentSessions,
    throttles,
    devices,
    activity,
    events,
    failures,
    bodies,
    keysInUse,
    keyLengthMax,
    requireConfirmations,
    routes,
    records,
  } = options;
  const wholeLists = new WholeLists();
  await app.register(fastifyCookie);

  const add = openDoor(app, options, {
    name: 'internal',
    arrived: () => ({ cutOff() {} }),
    enter: async (request) => enter(request),
    refusal: (error, request, reply) => {
      const { status, message, retryAfterSeconds, internal, remedy } = internalFailure(error);
      if (internal) failures.reportRequest(error, namesOf(request));
      reply.code(status);
      if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
      return { success: false, data: null, message, ...remedy, requestId: request.id };
    },
    answered: () => {},
  });

  /** A list that is too long for one read is read while it is sent. */
  const envelope = async (
    operation: InternalOperation,
    answer: unknown,
    turn: Turn,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<object | Readable> => {
    if (!(answer instanceof Listed)) {
      return { success: true, data: dataOf(answer, reply), message: 'ok', requestId: request.id };
    }
    reply.header('x-total-count', answer.total);
    const { list, whole } = answer;
    if (!whole) return { success: true, data: list, message: 'ok', requestId: request.id };
    const parts = async () => (await inTurn(turn, whole)).map((part) => () => inTurn(turn, part));
    return wholeLists.read(operation, parts, turn, request, reply);
  };

  /** @throws AppError missing_parameter (no password was sent), permission_denied (wrong), rate_limited, unavailable */
  const confirm = (
    admin: Admin,
    readings: readonly string[],
    caller: Device & Origin & { readonly at: Date },
  ) => {
    if (readings.length === 0) {
      throw new AppError(
        'missing_parameter',
        'Send your password in the header x-confirm-password, or first confirm this session with a passkey or at your sign-in provider',
      );
    }
    const attempt: Attempt<string> = {
      name: String(admin.id),
      refusal: () => new AppError('permission_denied', 'The password in x-confirm-password is wrong'),
      prepare: async () => ({
        account: await findAdminAccount(db, admin.id),
        check: async () => {
          const right = await verifyOwnPassword(db, admin.id, readings, caller.at);
          if (right === null) events.recordAdminEvent(admin, 'confirmationFailed', caller);
          return right;
        },
      }),
    };
    return throttles.runAttempt('administratorConfirmations', attempt, caller);
  };

  const addPublic = <Id extends PublicId>(id: Id) => {
    const operation = internalOperations[id];
    const read = compileInput(operation, internalInput);
    const rule = throttles.guard(operation, routes.ofAnybody[id]);
    const bytesMax = bytesMaxOf(operation);
    add(operation, envelopeOf(operation.data), async (request, reply) => {
      enter(request);
      using body = await readBody(request, bytesMax, bodies.strangers);
      const input = read({ params: request.params, query: request.query, body: body.value });
      const call = { ...input, ...callerOf(request, reply, clock, devices) };
      const turn: Turn = { school: 0, caller: addressOf(request), slow: false, inLog: namesOf(request) };
      const answer = await inTurn(turn, () => rule(call));
      return envelope(operation, answer, turn, request, reply);
    });
  };

  const addOfStudent = <Id extends StudentId>(id: Id) => {
    const operation = internalOperations[id];
    const read = compileInput(operation, internalInput);
    const rule = throttles.guard(operation, routes.ofStudents[id]);
    const requireUnchanged = sentBackCheck<StudentCall<InternalOperations[Id]>>(
      operation,
      records.ofStudents[id],
    );
    const bytesMax = bytesMaxOf(operation);
    add(operation, envelopeOf(operation.data), async (request, reply) => {
      enter(request);
      let { student, session } = await identifyStudent(request, studentSessions);
      using body = await readBody(request, bytesMax, bodies.known);
      if (body.isLate) ({ student, session } = await identifyStudent(request, studentSessions));
      const input = read({ params: request.params, query: request.query, body: body.value });
      const data = new SchoolData(db, student.range, student.timeZone);
      const call = { ...input, ...callerOf(request, reply, clock, devices), student, session, data };
      const turn: Turn = {
        school: data.schoolId,
        caller: `student ${student.id}`,
        slow: false,
        inLog: namesOf(request),
      };
      const answer = await inTurn(turn, async () => {
        await requireUnchanged?.(call);
        return rule(call);
      });
      return envelope(operation, answer, turn, request, reply);
    });
  };

  const addOfAdmin = <O extends AdminOperation, D extends SchoolData | null>(
    operation: O,
    choose: (db: Database, admin: Admin, schoolDb: unknown) => Promise<D>,
    answering: (call: AdminCall<O, D>) => unknown,
    recordOf: RecordReader<AdminCall<O, D>> | undefined,
  ) => {
    const read = compileInput(operation, internalInput);
    const rule = throttles.guard(operation, answering);
    const bytesMax = bytesMaxOf(operation);
    const requireUnchanged = sentBackCheck<AdminCall<O, D>>(operation, recordOf);
    const { idempotent, school }: AdminOperation = operation;
    const keyed = idempotent ? { prefix: internalPrefix, operation, keyLengthMax } : null;
    const line = ('activity' in operation && operation.activity) || null;
    add(operation, envelopeOf(operation.data), async (request, reply) => {
      enter(request);
      let identified = await identifyAdmin(request, operation, sessions);
      using body = await readBody(request, bytesMax, bodies.known);
      if (body.isLate) identified = await identifyAdmin(request, operation, sessions);
      const { schoolDb, ...sent } = takeSchool(operation, request, body.value);
      const input = read({ params: request.params, ...sent });
      const { admin, session, confirmation } = identified;
      const passwords = confirmationsOf(request);
      const checksPassword = needsPassword({
        operation,
        body: input.body,
        confirmation,
        hasPassword: passwords.length > 0,
        isAlwaysAsked: requireConfirmations,
        now: clock(),
      });
      const owner = `admin ${admin.id}`;
      const turn: Turn = {
        school: admin.schoolId ?? parseSchoolDb(schoolDb) ?? 0,
        caller: owner,
        slow: false,
        inLog: namesOf(request),
      };
      const caller = callerOf(request, reply, clock, devices);
      const { data, answer } = await inTurn(turn, async () => {
        const data = await choose(db, admin, schoolDb);
        const secret = idempotent === 'sealed' ? session : null;
        const key =
          keyed && data
            ? claimOf(request, keyed, input.params, { schoolId: data.schoolId, owner, secret })
            : null;
        if (checksPassword) await confirm(admin, passwords, caller);
        const call = { ...input, ...caller, admin, session, data, key };
        const answer = await keysInUse.hold(key, data, async () => {
          if (data && school === 'required') await requireNamedTargets(data, operation, input);
          await requireUnchanged?.(call);
          return rule(call);
        });
        return { data, answer };
      });
      if (line && !(answer instanceof Replayed)) {
        const schoolId = data?.schoolId ?? null;
        const change = { ...input, ...caller, admin, operation, line, schoolId, answer, inLog: turn.inLog };
        // Also in turn: the activity log may wait for a locked student.
        await inTurn(turn, () => activity.record(change)).catch((error: unknown) =>
          failures.report(error, 'activity not recorded', turn.inLog),
        );
      }
      return envelope(operation, answer, turn, request, reply);
    });
  };

  const { ofAnybody, ofStudents, ofAdmins, ofAdminsAnywhere, ofAdminsInSchool } = routes;
  idsOf(ofAnybody).forEach(addPublic);
  idsOf(ofStudents).forEach(addOfStudent);
  const addOwn = <Id extends OwnId>(id: Id) =>
    addOfAdmin(internalOperations[id], noSchool, ofAdmins[id], records.ofAdmins[id]);
  const addAnywhere = <Id extends AnywhereId>(id: Id) =>
    addOfAdmin(internalOperations[id], chosenSchool, ofAdminsAnywhere[id], records.ofAdminsAnywhere[id]);
  const addInSchool = <Id extends InSchoolId>(id: Id) =>
    addOfAdmin(internalOperations[id], requiredSchool, ofAdminsInSchool[id], records.ofAdminsInSchool[id]);
  idsOf(ofAdmins).forEach(addOwn);
  idsOf(ofAdminsAnywhere).forEach(addAnywhere);
  idsOf(ofAdminsInSchool).forEach(addInSchool);
}

/** Fastify serialises only these fields. */
const envelopeOf = (data: object) => ({
  success: { type: 'boolean' },
  data,
  message: { type: 'string' },
  requestId: { type: 'string' },
});

const bytesMaxOf = ({ body }: InternalOperation) => bodyBytesMax(body);
