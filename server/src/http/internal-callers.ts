import { type Duty, mayDo } from '@classledger/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { deviceCookieDays, type KnownDevices } from '../access/known-devices.ts';
import type { Admin, AdminSessions, Device, OpenedSession } from '../access/sessions.ts';
import type { StudentSessions } from '../access/student-sessions.ts';
import { type Caller, runAs } from '../database/caller.ts';
import { challengeMs } from '../database/retention.ts';
import { AppError, refusalWithReason, unavailable } from '../errors/app-error.ts';
import { requestLogFields } from '../telemetry/trace-context.ts';
import type { Clock } from '../time/clock.ts';
import { isRefused } from './load.ts';
import { addressOf, bearerOf } from './request-parts.ts';

/** Browsers send fewer characters. Longer headers are cut, so that they do not fill the database. */
const userAgentMax = 300;

/** Refuses a request to a full server or from a foreign origin. @throws AppError unavailable, permission_denied */
export function checkRequest(request: FastifyRequest): void {
  if (isRefused(request.raw)) throw unavailable();
  refuseForeignOrigin(request);
}

/** @param schoolId 0 while no school is known */
export const callerOf = (request: FastifyRequest, schoolId: number, name: string): Caller => ({
  schoolId,
  name,
  isSlow: false,
  logFields: requestLogFields(request),
});

const deviceOf = (request: FastifyRequest): Device => ({
  ip: addressOf(request),
  userAgent: request.headers['user-agent']?.slice(0, userAgentMax) ?? null,
});

export const sessionContextOf = (request: FastifyRequest, reply: FastifyReply) => ({
  ...deviceOf(request),
  session: sessionOf(request),
  setSession: (opened: OpenedSession | null) => setSession(request, reply, opened),
});

export const requestContextOf = (
  request: FastifyRequest,
  reply: FastifyReply,
  clock: Clock,
  devices: KnownDevices,
) => ({
  ...sessionContextOf(request, reply),
  at: clock(),
  bearer: bearerOf(request),
  browser: browserOf(request, reply, devices),
  site: { host: request.hostname, origin: `${request.protocol}://${request.host}` },
  challenged: cookieOf(request, 'challenge'),
  setChallenged: (value: string) => setCookie(request, reply, 'challenge', value, challengeMs / 1000),
  hasDisconnected: () => reply.raw.destroyed,
});

/** Finds the student by the Bearer token. @throws AppError unauthenticated */
export async function identifyStudent(request: FastifyRequest, sessions: StudentSessions) {
  const session = bearerOf(request);
  const student = await runAs(0, session, () => sessions.find(session, deviceOf(request)));
  if (!student) throw new AppError('unauthenticated', 'Sign in first; there is no token or it has ended');
  return { student, session };
}

/** Finds the administrator of the session and checks the role. @throws AppError unauthenticated, permission_denied */
export async function identifyAdmin(
  request: FastifyRequest,
  { duty }: { readonly duty: Duty },
  sessions: AdminSessions,
) {
  const session = sessionOf(request);
  const found = await runAs(0, session, () => sessions.find(session, deviceOf(request)));
  if (!found) throw new AppError('unauthenticated', 'Sign in first; there is no session or it has ended');
  const { admin, confirmation } = found;
  refuseOtherSession(request, admin);
  if (!mayDo(admin.role, duty)) {
    throw new AppError('permission_denied', `The role ${admin.role} may not do this`);
  }
  if (admin.mustSetUpFactor && duty !== 'ownAccount') {
    throw refusalWithReason(
      'factor',
      'permission_denied',
      'Set up a second factor first: administrators of your role need one',
    );
  }
  return { admin, session, confirmation };
}

/** Refuses a tab that expects another administrator. Tabs share the session cookie of the last sign-in. */
function refuseOtherSession(request: FastifyRequest, admin: Admin): void {
  const expected = request.headers['x-expected-admin'];
  if (expected === undefined || expected === String(admin.id)) return;
  throw new AppError('unauthenticated', 'Sign in again; someone else has signed in on this browser');
}

/** Refuses writes from pages of other origins. Clients other than browsers may leave out both headers. */
function refuseForeignOrigin(request: FastifyRequest): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const site = request.headers['sec-fetch-site'];
  const { origin } = request.headers;
  const foreign =
    (site !== undefined && site !== 'same-origin' && site !== 'none') ||
    (origin !== undefined && origin !== `${request.protocol}://${request.host}`);
  if (foreign) throw new AppError('permission_denied', 'Requests from another origin are refused');
}

/** Returns the password as sent and, if different, percent-decoded, because headers hold only Latin-1. */
export function readConfirmationPasswords(request: FastifyRequest): string[] {
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

type CookieName = 'session' | 'device' | 'challenge' | 'sign_in';

/** The prefix `__Host-` keeps other hosts below the same domain from setting the cookie. */
const cookieName = ({ protocol }: FastifyRequest, name: CookieName) =>
  protocol === 'https' ? `__Host-classledger_${name}` : `classledger_${name}`;

export const cookieOf = (request: FastifyRequest, name: CookieName) =>
  request.cookies[cookieName(request, name)] ?? '';

const sessionOf = (request: FastifyRequest) => cookieOf(request, 'session');

const attributesOf = ({ protocol }: FastifyRequest) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: protocol === 'https' }) as const;

export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  name: CookieName,
  value: string,
  lastsSeconds: number,
): void {
  const attributes = { ...attributesOf(request), maxAge: lastsSeconds };
  reply.setCookie(cookieName(request, name), value, attributes);
}

/** Sets the cookie. On a shared computer it has no `maxAge`, so it is deleted when the browser closes. */
function setSession(request: FastifyRequest, reply: FastifyReply, opened: OpenedSession | null): void {
  const attributes = attributesOf(request);
  const name = cookieName(request, 'session');
  if (opened === null) reply.clearCookie(name, attributes);
  else
    reply.setCookie(name, opened.token, { ...attributes, ...(!opened.shared && { maxAge: 7 * 24 * 3600 }) });
}

export const browserOf = (request: FastifyRequest, reply: FastifyReply, devices: KnownDevices) =>
  devices.readBrowser(cookieOf(request, 'device'), (cookie) =>
    setCookie(request, reply, 'device', cookie, deviceCookieDays * 24 * 3600),
  );
