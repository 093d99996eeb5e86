import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import type pg from 'pg';
import manifest from '../package.json' with { type: 'json' };
import { AccessChangeListener } from './access/access-changes.ts';
import { AccountEvents } from './access/account-events.ts';
import { ActivityLog } from './access/activity-log.ts';
import { CredentialDirectory } from './access/credential.ts';
import { InitialPasswords } from './access/initial-passwords.ts';
import { installationSecret } from './access/installation-secret.ts';
import { KnownDevices } from './access/known-devices.ts';
import { Sealing } from './access/sealing.ts';
import { AdminSessions } from './access/sessions.ts';
import { StudentSessions } from './access/student-sessions.ts';
import { Throttles } from './access/throttles.ts';
import { UseCounts } from './access/use-counts.ts';
import { unavailable } from './app-error.ts';
import type { Clock, Monotonic } from './clock.ts';
import type { Config } from './config.ts';
import type { DatabaseConnection } from './database/connect.ts';
import { removeExpired } from './database/retention.ts';
import { WriteCheck } from './database/write-check.ts';
import { documentationRoutes } from './features/documentation/routes.ts';
import { eraseAllLeavers } from './features/personal-data/leavers.ts';
import { LockPolicy } from './features/scores/ledger/locks.ts';
import { ScoreLedger } from './features/scores/ledger/queue.ts';
import { CodeGuesses } from './features/second-factor/code-guesses.ts';
import { OidcAdapter } from './features/sign-in-providers/adapters/oidc.ts';
import { flowLastsMs, SignInFlows } from './features/sign-in-providers/sign-in-flows.ts';
import { pageRoutes } from './features/web/page-routes.ts';
import { AuditLog } from './http/audit-log.ts';
import { BodyMemory } from './http/body-memory.ts';
import { Connections } from './http/connections.ts';
import { RequestsUnderWay } from './http/door.ts';
import { protectEveryAnswer } from './http/every-answer.ts';
import { externalDoor, externalPrefix } from './http/external-door.ts';
import { FailureLog } from './http/failure-log.ts';
import { connectionsPossible, createHttpServer, onceAMinute } from './http/http-server.ts';
import { internalDoor, internalPrefix } from './http/internal-door.ts';
import { announcesBody } from './http/json-body.ts';
import { isRefused, Load } from './http/load.ts';
import { answerProtocolError, handleUnusualRequests } from './http/protocol-errors.ts';
import { providerDoor, providerPrefix } from './http/provider-door.ts';
import { RateLimiter } from './http/rate-limit.ts';
import { KeysInUse } from './idempotency/idempotency-keys.ts';
import { routesOf } from './routes.ts';
import { afterAbort, untilAborted } from './until-aborted.ts';

export interface AppOptions {
  readonly config: Config;
  readonly database: DatabaseConnection;
  /** How the database is reached, for the connection that listens for changes. */
  readonly databaseTarget: pg.PoolConfig;
  readonly clock: Clock;
  readonly monotonic: Monotonic;
  /** Requests that are worked on at once; 1,000 unless given. */
  readonly requestsMax?: number;
  /** How long points wait for a row that someone else keeps locked; ten seconds unless given. */
  readonly lockedRowWaitMs?: number | undefined;
}

export interface App {
  readonly http: FastifyInstance;
  /** Removes what is past its time; called by a timer while serving. */
  housekeep(): Promise<void>;
  /**
   * Finishes requests in flight, writes the audit log out and leaves the database to its owner
   * (docs/contract.md, Stopping).
   *
   * @param options.drainSeconds for how long new connections are still served; 0 unless given
   * @param options.cut aborts when what has not ended is to be cut off; without it, it is waited for
   */
  close(options?: { drainSeconds?: number; cut?: AbortSignal }): Promise<void>;
}

const housekeepingMs = 3_600_000;
/** What is just arriving when the server stops may still become a whole request. */
const arrivalMs = 1_000;
/** For what is written behind requests, after the time for an orderly end is over. */
const lastWritesMs = 3_000;
const { version } = manifest;

/** Builds the HTTP application on a migrated database. Used alike by the command line, the tests and the benchmark. */
export async function buildApp({
  config,
  database,
  databaseTarget,
  clock,
  monotonic,
  requestsMax = 1_000,
  lockedRowWaitMs,
}: AppOptions): Promise<App> {
  const { db, behind } = database;
  const connectionsMax = connectionsPossible(requestsMax);
  const connections = new Connections(
    {
      max: connectionsMax,
      // A proxy's address speaks for everyone.
      perAddressMax: config.trustProxy ? null : config.connectionsPerAddressMax,
    },
    // Whoever makes others wait has to go before there is no connection left.
    new Load({ requestsMax: Math.min(requestsMax, connectionsMax), unreadMax: 64 * 1_048_576 }, monotonic),
    onceAMinute(monotonic, (what) => http.log.warn(what)),
  );
  const http = fastify({
    // Standard output is for the start-up line.
    logger: { level: config.logLevel, stream: process.stderr },
    // One line per request is the audit log's business.
    logController: new LogController({ disableRequestLogging: true }),
    // What is logged names its request itself; Fastify would make a logger for each.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // One proxy is trusted, the one in front: what it found in the headers may be anyone's invention.
    trustProxy: config.trustProxy && ((_address, hop) => hop === 0),
    return503OnClosing: false,
    exposeHeadRoutes: false,
    // A path parameter of any length is answered as a bad id, not as an unknown path.
    routerOptions: { maxParamLength: 100_000 },
    serverFactory: (handle) => createHttpServer(handle, connections),
    rewriteUrl: (request) =>
      isDecodable(request.url ?? '/') ? (request.url ?? '/') : undecodable(request.url ?? ''),
    clientErrorHandler: (error, socket) => answerProtocolError(error, socket, audit, clock),
  });
  const writeCheck = new WriteCheck(database, monotonic);
  const failures = new FailureLog(http.log, (trouble) => {
    if (trouble === 'unwritable') writeCheck.doubt();
  });
  const audit = new AuditLog(behind, clock, (error, lost) =>
    failures.report(error, 'audit log not written', { lost }),
  );
  const uses = new UseCounts(behind, (error, lost) =>
    failures.report(error, 'uses of credentials not stored', { lost }),
  );
  const underWay = new RequestsUnderWay();
  handleUnusualRequests(http, audit, clock);
  protectEveryAnswer(http);
  const stopping = new AbortController();
  http.addHook('onSend', (request, reply, payload, done) => {
    if (stopping.signal.aborted) {
      // Whoever has sent more requests gets their answers first.
      if (connections.isLast(reply.raw)) reply.header('connection', 'close');
      else reply.raw.removeHeader('connection');
    }
    // Whoever is answered before the whole body came is not to send the next request on this connection.
    if (!request.raw.complete && announcesBody(request.raw)) reply.header('connection', 'close');
    done(null, payload);
  });

  const directory = new CredentialDirectory(db);
  const listener = new AccessChangeListener(databaseTarget, directory);
  database.onAccessChange(() => directory.forgetAll());
  const sealing = new Sealing(
    () => installationSecret(config.secretKey, config.dataDir),
    onceAMinute(monotonic, (what) => http.log.error(what)),
  );
  const devices = new KnownDevices(sealing, clock);
  const sessions = new AdminSessions(db, clock);
  const studentSessions = new StudentSessions(db, clock);
  const events = new AccountEvents(db, clock, http.log, (error) =>
    failures.report(error, 'account event not recorded'),
  );
  const keysInUse = new KeysInUse();
  const adapters = { oidc: new OidcAdapter(clock, config.httpProvidersOnLoopback) };
  const routes = routesOf({
    db,
    ledger: new ScoreLedger(database, new LockPolicy(lockedRowWaitMs)),
    audit,
    uses,
    sessions,
    studentSessions,
    sealing,
    events,
    codeGuesses: new CodeGuesses(monotonic),
    initialPasswords: new InitialPasswords(config.initialPasswordDays),
    adapters,
    httpProvidersOnLoopback: config.httpProvidersOnLoopback,
    settings: { tokenPrefix: config.tokenPrefix, maxExpireDays: config.tokenMaxExpireDays },
  });

  http.addHook('onRequest', (request, reply, done) => {
    // The doors refuse in their own envelopes.
    if (!isRefused(request.raw) || request.url.startsWith(internalPrefix)) return done();
    const { message, retryAfterSeconds } = unavailable();
    reply.code(503).header('retry-after', retryAfterSeconds).type('text/plain; charset=utf-8').send(message);
  });
  // Nothing but the doors reads a body.
  http.removeAllContentTypeParsers();
  const bodies = {
    known: new BodyMemory(32 * 1_048_576, monotonic),
    strangers: new BodyMemory(16 * 1_048_576, monotonic),
  };
  await http.register(pageRoutes);
  http.get('/healthz', async () => ({ status: 'ok' }));
  http.get('/readyz', async (_request, reply) => {
    if (stopping.signal.aborted) return reply.code(503).send({ status: 'stopping' });
    const ready = await writeCheck.canWrite();
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'database unavailable' });
  });
  await http.register(documentationRoutes, { version, keyLengthMax: config.idempotencyKeyMaxLength });
  await http.register(externalDoor, {
    prefix: externalPrefix,
    db,
    clock,
    directory,
    limiter: new RateLimiter(
      {
        totalPerMinute: config.rateLimitTotalPerMinute,
        writePerMinute: config.rateLimitWritePerMinute,
      },
      monotonic,
    ),
    audit,
    failures,
    bodies: bodies.known,
    uses,
    underWay,
    keysInUse,
    keyLengthMax: config.idempotencyKeyMaxLength,
    routes: routes.external,
  });
  await http.register(internalDoor, {
    prefix: internalPrefix,
    db,
    clock,
    sessions,
    studentSessions,
    throttles: new Throttles(monotonic),
    activity: new ActivityLog(db, http.log),
    events,
    devices,
    failures,
    underWay,
    bodies,
    keysInUse,
    keyLengthMax: config.idempotencyKeyMaxLength,
    routes: routes.internal,
  });
  await http.register(providerDoor, {
    prefix: providerPrefix,
    monotonic,
    failures,
    log: http.log,
    devices,
    flows: new SignInFlows({ db, clock, sealing, sessions, events, adapters }),
    flowLastsMs,
  });
  await listener.start();
  await http.ready();

  const removeEnded = async () => {
    const rules = {
      auditDays: config.auditRetentionDays,
      idempotencyHours: config.idempotencyRetentionHours,
      applicationDays: config.applicationRetentionDays,
    };
    await removeExpired(db, rules, clock(), stopping.signal);
    await sessions.removeEnded();
    await studentSessions.removeEnded();
    const erased = await eraseAllLeavers(db, clock(), stopping.signal);
    if (erased > 0) http.log.info({ students: erased }, 'erased students who left');
  };
  let housekeeping: Promise<unknown> = Promise.resolve();
  const housekeep = () => {
    const work = removeEnded();
    housekeeping = Promise.allSettled([housekeeping, work]);
    return work;
  };
  const timer = setInterval(() => {
    housekeep().catch((error: unknown) => failures.report(error, 'housekeeping failed'));
  }, housekeepingMs).unref();

  return {
    http,
    housekeep,
    close: async ({ drainSeconds = 0, cut = new AbortController().signal } = {}) => {
      stopping.abort();
      clearInterval(timer);
      await pause(drainSeconds * 1_000, undefined, { signal: cut }).catch(() => {});
      const closed = http.close();
      const arrival = setInterval(() => connections.closeUnneeded(), arrivalMs);
      try {
        // A caller who is gone leaves work behind that is finished and audited all the same.
        await untilAborted(
          cut,
          Promise.all([closed, underWay.idle().then(() => events.settle()), housekeeping]),
        );
      } catch (error) {
        if (!cut.aborted) throw error;
        http.log.warn({ requests: underWay.count, connections: connections.open }, 'cut off by the stop');
        connections.closeAll();
        underWay.cut();
      } finally {
        clearInterval(arrival);
      }
      const giveUp = afterAbort(cut, lastWritesMs);
      const written = Promise.all([audit.close(giveUp), uses.close(giveUp)]);
      const ended = written.then(() => Promise.all([closed, listener.close()]));
      await untilAborted(giveUp, ended).catch((error: unknown) => {
        if (!giveUp.aborted) throw error;
      });
    },
  };
}

function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}

/** A path that cannot be decoded is an unknown one of the door that it was meant for. */
function undecodable(url: string): string {
  if (url.startsWith(`${externalPrefix}/`)) return `${externalPrefix}/undecodable`;
  return url.startsWith(`${internalPrefix}/`) ? `${internalPrefix}/undecodable` : '/undecodable';
}
