import {
  type Data,
  type InternalOperation,
  type InternalOperations,
  internalOperations,
  limits,
} from '@classledger/contract';
import '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { adminRange, type Range } from '../access/range.ts';
import { SchoolData } from '../access/school-data.ts';
import type { Admin, AdminSessions } from '../access/sessions.ts';
import { AppError, invalidValue, notFound } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/connect.ts';
import { internalFailure } from './envelopes.ts';
import { compileInput, type Input } from './input.ts';
import { readJsonBodies } from './json-body.ts';

export const internalPrefix = '/api';
export const sessionCookie = 'classledger_session';

/** One call as a rule's adapter receives it. */
export interface InternalCall<O extends InternalOperation> extends Input<O> {
  /** Null only on public operations. */
  readonly admin: O extends { access: 'admin' } ? Admin : null;
  /** The value of the session cookie; empty on public operations. */
  readonly session: string;
  /** The chosen school's data in the administrator's range; null only where the school is optional and absent. */
  readonly data: O extends { school: 'required' } ? SchoolData : SchoolData | null;
  readonly at: Date;
  /** The caller's address. */
  readonly ip: string;
  /** What was sent in x-confirm-password: as it is, and decoded; empty when it was absent. */
  readonly confirmations: readonly string[];
  /** Opens or ends the browser's session. */
  readonly setSession: (token: string | null) => void;
}

/** An answer that is one page of a list: X-Total-Count tells how many entries there are. */
export class Listed<T> {
  readonly list: readonly T[];
  readonly total: number;

  constructor(list: readonly T[], total: number) {
    this.list = list;
    this.total = total;
  }
}

export type InternalHandler<O extends InternalOperation> = (
  call: InternalCall<O>,
) => Promise<Data<O> extends readonly (infer E)[] ? Listed<E> : Data<O>>;

/** A handler for every operation of the contract: one that is missing does not compile. */
export type InternalHandlers = {
  readonly [Id in keyof InternalOperations]: InternalHandler<InternalOperations[Id]>;
};

export interface InternalDoorOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly sessions: AdminSessions;
  readonly handlers: InternalHandlers;
}

/** The internal API under /api: sessions of administrators, its own envelope. */
export async function internalDoor(app: FastifyInstance, options: InternalDoorOptions): Promise<void> {
  readJsonBodies(app);

  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store' });
    refuseForeignOrigin(request);
  });

  app.setNotFoundHandler(() => {
    throw notFound('The path or method');
  });

  app.setErrorHandler((error, request, reply) => {
    const { status, message, internal } = internalFailure(error);
    if (internal) request.log.error({ err: error, requestId: request.id }, 'internal error');
    if (error instanceof AppError && error.retryAfterSeconds !== null) {
      reply.header('retry-after', error.retryAfterSeconds);
    }
    return reply.code(status).send({ success: false, data: null, message, requestId: request.id });
  });

  for (const [id, operation] of Object.entries(internalOperations)) {
    const handler = options.handlers[
      id as keyof InternalHandlers
    ] as unknown as InternalHandler<InternalOperation>;
    addRoute(app, operation, handler, options);
  }
}

function addRoute(
  app: FastifyInstance,
  operation: InternalOperation,
  handler: InternalHandler<InternalOperation>,
  { db, clock, sessions }: InternalDoorOptions,
): void {
  const read = compileInput(operation);
  app.route({
    method: operation.method,
    url: operation.path,
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
      const session = request.cookies[sessionCookie] ?? '';
      const admin = operation.access === 'admin' ? await sessions.find(session) : null;
      if (operation.access === 'admin' && !admin) {
        throw new AppError('unauthenticated', 'Sign in first; there is no session or it has ended');
      }
      if (admin && operation.roles && !operation.roles.includes(admin.role)) {
        throw new AppError('permission_denied', `A ${admin.role} may not do this`);
      }
      const { schoolDb, query, body } = takeSchool(operation, request);
      const input = read({ params: request.params, query, body });
      const data =
        admin && operation.school ? await chooseSchool(db, admin, schoolDb, operation.school) : null;
      const answer = await handler({
        ...input,
        admin,
        session,
        data,
        at: clock(),
        ip: request.ip,
        confirmations: confirmations(request),
        setSession: (token: string | null) => setSession(request, reply, token),
      } as never);
      if (!(answer instanceof Listed))
        return { success: true, data: answer, message: 'ok', requestId: request.id };
      reply.header('x-total-count', answer.total);
      return { success: true, data: answer.list, message: 'ok', requestId: request.id };
    },
  });
}

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

/** Separates `schoolDb`, which any method takes from query or body, from what the operation itself takes. */
function takeSchool(operation: InternalOperation, request: FastifyRequest) {
  const query = request.query as Record<string, unknown>;
  if (!operation.school) return { schoolDb: undefined, query, body: request.body };
  let { body } = request;
  let fromBody: unknown;
  if (typeof body === 'object' && body !== null && !Array.isArray(body) && 'schoolDb' in body) {
    const { schoolDb, ...rest } = body as Record<string, unknown>;
    fromBody = schoolDb;
    body = !operation.body && Object.keys(rest).length === 0 ? undefined : rest;
  }
  const fromQuery = query.schoolDb;
  const both = fromBody !== undefined && fromQuery !== undefined;
  if (both && parseSchoolDb(fromBody) !== parseSchoolDb(fromQuery)) {
    throw invalidValue('schoolDb differs between query and body');
  }
  return { schoolDb: fromBody ?? fromQuery, query, body };
}

/**
 * The school that a call is about, and how much of it the administrator may see. Missing where required: 400;
 * unknown: 404; outside the own range: 403 (decisions, section 1).
 */
async function chooseSchool(
  db: Database,
  admin: Admin,
  schoolDb: unknown,
  need: 'required' | 'optional',
): Promise<SchoolData | null> {
  const range = adminRange(admin);
  if (schoolDb === undefined) {
    if (need === 'required') throw new AppError('missing_parameter', 'schoolDb is required');
    return range === 'everything' ? null : new SchoolData(db, range ?? nowhere);
  }
  const schoolId = parseSchoolDb(schoolDb);
  const school =
    schoolId === null
      ? undefined
      : await db.selectFrom('school').where('id', '=', schoolId).select('id').executeTakeFirst();
  if (!school) throw notFound('The school');
  if (range === 'everything')
    return new SchoolData(db, { schoolId: school.id, gradeId: null, classId: null });
  if (range?.schoolId !== school.id) throw new AppError('out_of_range', 'The school is outside your range');
  return new SchoolData(db, range);
}

/** The range of an administrator whose grade or class was deleted: no row has these ids. */
const nowhere: Range = { schoolId: 0, gradeId: 0, classId: 0 };

function parseSchoolDb(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const digits = /^(?:school_)?([0-9]{1,16})$/.exec(String(value))?.[1];
  const id = Number(digits);
  return digits !== undefined && Number.isSafeInteger(id) ? id : null;
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
