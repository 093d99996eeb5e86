import { randomBytes } from 'node:crypto';
import fastifyCookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup } from '../access/address-group.ts';
import type { Counter, Counters } from '../access/counters.ts';
import type { KnownDevices } from '../access/known-devices.ts';
import {
  type ProviderReturn,
  type ProviderSignIns,
  type ReturnPage,
  type SignInRefusal,
  SignInRefusedError,
} from '../access/provider-sign-in.ts';
import { runAsCaller } from '../database/caller.ts';
import { transientErrorKind } from '../database/transient-errors.ts';
import { AppError } from '../errors/app-error.ts';
import { requestLogFields } from '../telemetry/trace-context.ts';
import { parseSchoolDb } from './chosen-school.ts';
import type { FailureLog } from './failure-log.ts';
import { browserOf, callerOf, cookieOf, sessionContextOf, setCookie } from './internal-callers.ts';
import { isRefused } from './load.ts';
import { addressOf } from './request-parts.ts';
import type { RequestWatch } from './request-watch.ts';
import { helmetOptions } from './security-headers.ts';
import { renderDonePage, renderRefusalPage } from './sign-in-pages.ts';

export interface ProviderSignInOptions {
  readonly counters: Counters;
  readonly failures: FailureLog;
  readonly watch: RequestWatch;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  readonly devices: KnownDevices;
  readonly flows: ProviderSignIns;
  readonly flowValidMs: number;
}

export const providerPrefix = '/api/auth/sso';

const purposes = { admin: 'administrator', student: 'student', confirmation: 'confirmation' } as const;

const statuses: Readonly<Record<SignInRefusal, number>> = {
  unknown: 404,
  ended: 400,
  unreachable: 502,
  cancelled: 403,
  invalid: 403,
  noAccount: 403,
  notConfirmed: 403,
  tooMany: 429,
  unavailable: 503,
};

/** Limit of starts, and of returns without a start, per address. A completed sign-in clears both counters. */
const attemptsMax = 300;
const windowMs = 600_000;

/** Sends browsers to a school's sign-in provider and back. Answers errors with pages, because a browser shows them. */
export async function providerSignIn(
  app: FastifyInstance,
  { counters, failures, watch, log, devices, flows, flowValidMs }: ProviderSignInOptions,
): Promise<void> {
  await app.register(fastifyCookie);
  await app.register(helmet, { global: false });

  const createHandler =
    (operation: string, answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const startedAt = performance.now();
      reply.header('cache-control', 'no-store');
      try {
        if (isRefused(request.raw)) throw new SignInRefusedError('unavailable');
        return await runAsCaller(callerOf(request, 0, addressOf(request)), () => answer(request, reply));
      } catch (error) {
        watch.recordRefusal(request, 'provider', error);
        const reason = reasonOf(error);
        if (reason === null)
          failures.report(error, 'sign-in at a provider failed', requestLogFields(request));
        else if (reason !== 'tooMany')
          log.warn(
            { event: 'signInFailed', reason, detail: (error as Error).message, ...requestLogFields(request) },
            'provider',
          );
        const returnPage = error instanceof SignInRefusedError ? error.returnPage : '/';
        return refuse(request, reply, reason ?? 'unavailable', returnPage);
      } finally {
        watch.recordAnswer(request, 'provider', operation, reply.statusCode, startedAt);
      }
    };

  // HEAD must not start or finish a sign-in.
  const navigation = { exposeHeadRoute: false };
  app.get(
    '/:id/start',
    navigation,
    createHandler('start', async (request, reply) => {
      const address = addressGroup(addressOf(request));
      const waitMs = await counters.count(startCounter(address), windowMs);
      if (waitMs > 0) throw new SignInRefusedError('tooMany');
      const query = queryOf(request);
      const purpose = purposes[query.get('for') as keyof typeof purposes];
      const { id } = request.params as { id: string };
      const schoolId = parseSchoolDb(query.get('schoolDb')) ?? 0;
      if (purpose === undefined || !/^[1-9][0-9]{0,14}$/.test(id)) throw new SignInRefusedError('unknown');
      const flow = await flows.start({
        ...browserContextOf(request, reply),
        schoolId,
        providerId: Number(id),
        purpose,
        popup: query.get('popup') === '1' || purpose === 'confirmation',
        shared: query.get('shared') === '1',
        asksConfirmations: query.get('confirmations') === '1' || isFromOtherSite(request),
        returnPath: returnPathOf(query.get('return'), purpose === 'student' ? '/student' : '/admin'),
      });
      setCookie(request, reply, 'sign_in', flow.browser, flowValidMs / 1_000);
      return reply.redirect(flow.address, 303);
    }),
  );

  app.get(
    '/callback',
    navigation,
    createHandler('callback', async (request, reply) => {
      const address = addressGroup(addressOf(request));
      const attempt = await counters
        .countAttempt([unstartedReturnCounter(address)], windowMs)
        .catch(throwSignInRefused);
      const browser = { ...browserContextOf(request, reply), query: queryOf(request) };
      const result = await flows.finish(browser).catch(async (error: unknown) => {
        await (reasonOf(error) === 'ended' ? attempt.fail() : attempt.cancel());
        throw error;
      });
      await attempt.succeed([startCounter(address).name, unstartedReturnCounter(address).name]);
      if (result.as === 'administrator') {
        sessionContextOf(request, reply).setSession(result.opened);
        if (result.account) browserOf(request, reply, devices).remember(result.account);
      }
      if (result.popup) {
        const nonce = setPageHeaders(reply);
        return reply.type(html).send(renderDonePage(request.headers['accept-language'] ?? '', nonce));
      }
      // Puts the code after the #, which browsers do not send, and which the page removes from the URL.
      const fragment = result.as === 'student' ? `code=${result.code}` : 'signed-in';
      return reply.redirect(`${result.returnPath}#${fragment}`, 303);
    }),
  );
}

const startCounter = (address: string) => counterOf('sign-ins begun', address);
/** Counts returns without a start; other returns belong to a counted start. */
const unstartedReturnCounter = (address: string) => counterOf('sign-ins not begun', address);
const counterOf = (what: string, address: string): Counter => ({
  name: JSON.stringify([what, address]),
  limit: attemptsMax,
});

const throwSignInRefused = (error: unknown): never => {
  if (!(error instanceof AppError)) throw error;
  throw new SignInRefusedError(error.kind === 'rate_limited' ? 'tooMany' : 'unavailable');
};

const html = 'text/html; charset=utf-8';

/** @returns null for an unexpected error */
function reasonOf(error: unknown): SignInRefusal | null {
  if (error instanceof SignInRefusedError) return error.reason;
  return transientErrorKind(error) === null ? null : 'unavailable';
}

function refuse(request: FastifyRequest, reply: FastifyReply, reason: SignInRefusal, returnPage: ReturnPage) {
  const nonce = setPageHeaders(reply);
  const page = renderRefusalPage(reason, request.headers['accept-language'] ?? '', nonce, returnPage);
  return reply.code(statuses[reason]).type(html).send(page);
}

function setPageHeaders(reply: FastifyReply): string {
  const nonce = randomBytes(16).toString('base64url');
  reply.helmet(helmetOptions(`'nonce-${nonce}'`, { 'script-src': `'nonce-${nonce}'` }));
  return nonce;
}

const queryOf = (request: FastifyRequest) =>
  new URLSearchParams(request.url.includes('?') ? request.url.slice(request.url.indexOf('?') + 1) : '');

function browserContextOf(request: FastifyRequest, reply: FastifyReply): Omit<ProviderReturn, 'query'> {
  const { session, ip, userAgent } = sessionContextOf(request, reply);
  return {
    browser: cookieOf(request, 'sign_in'),
    session,
    device: { ip, userAgent },
    redirectUri: `${request.protocol}://${request.host}${providerPrefix}/callback`,
  };
}

/** Returns whether another site led the browser here. Such a site must not turn confirmations off. */
const isFromOtherSite = ({ headers }: FastifyRequest) =>
  headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site';

function returnPathOf(wanted: string | null, pages: '/admin' | '/student'): string {
  if (wanted === null || !URL.canParse(wanted, 'http://here')) return pages;
  const { origin, pathname, search } = new URL(wanted, 'http://here');
  const isOurs = origin === 'http://here' && (pathname === pages || pathname.startsWith(`${pages}/`));
  return isOurs && wanted.length <= 1_000 ? `${pathname}${search}` : pages;
}
