import { randomUUID } from 'node:crypto';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import manifest from '../../package.json' with { type: 'json' };
import { AccessChangeListener, siblingTimeoutMs } from '../access/access-change-listener.ts';
import { parseAccessChange } from '../access/access-changes.ts';
import { AccountEvents } from '../access/account-events.ts';
import { Counters } from '../access/counters.ts';
import { CredentialDirectory } from '../access/credential-directory.ts';
import { InitialPasswords } from '../access/initial-passwords.ts';
import { installationSecret } from '../access/installation-secret.ts';
import { KnownDevices } from '../access/known-devices.ts';
import { rosterPrefix } from '../access/roster-operations.ts';
import { Sealing } from '../access/sealing.ts';
import { AdminSessions } from '../access/sessions.ts';
import { SignInAddresses } from '../access/sign-in-addresses.ts';
import { StudentSessions } from '../access/student-sessions.ts';
import { Throttles } from '../access/throttles.ts';
import { UseCounts } from '../access/use-counts.ts';
import type { Config } from '../config/config.ts';
import type { DatabaseTarget } from '../database/client.ts';
import type { DatabaseConnection } from '../database/connect.ts';
import { onNotice } from '../database/notices.ts';
import { WriteCheck } from '../database/write-check.ts';
import { unavailable } from '../errors/app-error.ts';
import { documentationRoutes } from '../features/documentation/routes.ts';
import { createImportWorker } from '../features/imports/import-worker.ts';
import { rosterCollections } from '../features/rosters/collections.ts';
import { LockPolicy } from '../features/scores/ledger/locks.ts';
import { ScoreLedger } from '../features/scores/ledger/score-ledger.ts';
import { WrongCodeLimit } from '../features/second-factor/factor-code.ts';
import { OpenIdConnect } from '../features/sign-in-providers/oidc.ts';
import { flowLifetimeMs, SignInFlows } from '../features/sign-in-providers/sign-in-flows.ts';
import { Statistics } from '../features/statistics/school-statistics.ts';
import { pageRoutes } from '../features/web/page-routes.ts';
import type { Resolve } from '../features/webhooks/allowed-address.ts';
import { WebhookSender } from '../features/webhooks/webhook-sender.ts';
import { createWebhookWorker } from '../features/webhooks/webhook-worker.ts';
import { AnswerSender } from '../http/answer-sender.ts';
import { ActiveRequests } from '../http/api.ts';
import { AuditLog, flushTimeoutMs } from '../http/audit-log.ts';
import { BodyMemory } from '../http/body-memory.ts';
import { Connections } from '../http/connections.ts';
import { externalApi } from '../http/external-api.ts';
import { FailureLog } from '../http/failure-log.ts';
import { connectionsMaxOf, createHttpServer, oncePerMinute } from '../http/http-server.ts';
import { internalApi } from '../http/internal-api.ts';
import { isRefused, Load } from '../http/load.ts';
import { addMetricsRoute } from '../http/metrics-route.ts';
import { answerProtocolError, handleUnusualRequests } from '../http/protocol-errors.ts';
import { providerPrefix, providerSignIn } from '../http/provider-sign-in.ts';
import { RateLimiter } from '../http/rate-limit.ts';
import { limitChannel } from '../http/rate-limit-shares.ts';
import { externalPrefix, internalPrefix, routedUrl } from '../http/request-parts.ts';
import { RequestWatch } from '../http/request-watch.ts';
import { rosterApi } from '../http/roster-api.ts';
import { createSampleAnswerReader } from '../http/sample-answers.ts';
import { addSecurityHeaders } from '../http/security-headers.ts';
import { KeysInUse } from '../idempotency/idempotency-keys.ts';
import { createExternalRoutes } from '../routes/external-routes.ts';
import { createInternalRoutes, type RouteServices } from '../routes/internal-routes.ts';
import { createRecordReaders } from '../routes/record-readers.ts';
import { logOptions } from '../telemetry/log-stream.ts';
import { type Metrics, openMetrics } from '../telemetry/metrics.ts';
import { sendTraces } from '../telemetry/tracing.ts';
import type { Clock, MonotonicClock } from '../time/clock.ts';
import { noSiblings, type Siblings } from '../workers/siblings.ts';
import { type CloseOptions, closeInOrder } from './closing.ts';
import { Housekeeping } from './housekeeping.ts';

export interface AppOptions {
  readonly config: Config;
  readonly database: DatabaseConnection;
  /** For the connection that runs LISTEN, which a transaction pooler cannot serve. */
  readonly databaseListenTarget: DatabaseTarget;
  readonly clock: Clock;
  readonly monotonic: MonotonicClock;
  readonly databaseClock?: Clock | null;
  readonly requestsMax?: number;
  readonly siblings?: Siblings | undefined;
  readonly lockedRowWaitMs?: number | undefined;
  readonly resolve?: Resolve | undefined;
}

export interface App {
  readonly http: FastifyInstance;
  readonly metrics: Metrics | null;
  /** Removes expired data. @throws after the last chore, if one failed */
  housekeep(): Promise<void>;
  deliverWebhooks(): Promise<void>;
  /** Works on imports until none is left. */
  runImports(): Promise<void>;
  /** Runs housekeeping, webhook delivery and imports periodically until `close`. */
  startBackgroundWork(): void;
  /** Finishes requests in flight and flushes the audit log; leaves the database open (docs/contract.md, Stopping). */
  close(how?: CloseOptions): Promise<void>;
}

const { version } = manifest;

/** Builds the HTTP application on a migrated database. */
export async function buildApp({
  config,
  database,
  databaseListenTarget,
  clock,
  monotonic,
  databaseClock = null,
  requestsMax = 1_000,
  lockedRowWaitMs,
  resolve,
  siblings = noSiblings,
}: AppOptions): Promise<App> {
  const { db, background, heartbeats } = database;
  const clocks = { clock, monotonic, databaseClock };
  const connectionsMax = connectionsMaxOf(requestsMax);
  const connections = new Connections(
    {
      max: connectionsMax,
      // No limit per address behind a proxy, because all clients share the address of the proxy.
      perAddressMax: config.trustProxy ? null : Math.ceil(config.connectionsPerAddressMax / siblings.count),
    },
    // `Load` must be full before connections run out, because then it disconnects slow clients.
    new Load({ requestsMax: Math.min(requestsMax, connectionsMax), unreadMax: 64 * 1_048_576 }, monotonic),
    oncePerMinute(monotonic, (what) => http.log.warn(what)),
  );
  const http = fastify({
    logger: logOptions(config.logLevel, config.logFormat),
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines carry the request's id themselves, so a logger for each request is not needed.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // Trusts only the nearest proxy; clients can forge the other entries of X-Forwarded-For.
    trustProxy: config.trustProxy && ((_address, hop) => hop === 0),
    return503OnClosing: false,
    // No limit, because a slow machine should start late instead of failing at Fastify's limit for plugins.
    pluginTimeout: 0,
    // Lets an overlong path parameter reach the check of ids, which refuses it as a bad id.
    routerOptions: { maxParamLength: 100_000 },
    serverFactory: (handle) => createHttpServer(handle, connections),
    rewriteUrl: ({ url }) => routedUrl(url),
    clientErrorHandler: (error, socket) => answerProtocolError(error, socket, audit, clock),
  });
  const writeCheck = new WriteCheck(database, monotonic);
  const failures = new FailureLog(http.log, (kind) => {
    if (kind === 'unwritable') writeCheck.forgetSuccess();
  });
  const audit = new AuditLog(background, clock, (error, lost) =>
    failures.report(error, 'audit log not written', { lost }),
  );
  const uses = new UseCounts(background, (error, lost) =>
    failures.report(error, 'uses of credentials not stored', { lost }),
  );
  const activeRequests = new ActiveRequests();
  const metrics =
    config.metricsToken === null
      ? null
      : await openMetrics({
          version,
          pools: () => database.usage(),
          database: () => writeCheck.state(),
          audit: () => audit,
          uses: () => uses,
          requestsUnderWay: () => activeRequests.count,
          connections: () => connections,
        });
  if (config.traces) {
    const onFailure = oncePerMinute(monotonic, (why) => http.log.warn({ why }, 'traces not sent'));
    await sendTraces(http, { ...config.traces, version, onFailure });
  }
  const watch = new RequestWatch(http.log, metrics, monotonic);
  handleUnusualRequests(http, audit, clock);
  addSecurityHeaders(http);
  const stopping = new AbortController();
  let isLeaving = false;
  const answerSender = new AnswerSender(connections, stopping.signal, config.traces !== null);
  http.addHook('onSend', (request, reply, payload, done) => {
    answerSender.setConnectionHeader(request, reply);
    done(null, payload);
  });

  const listener = new AccessChangeListener({
    target: databaseListenTarget,
    sender: heartbeats,
    monotonic,
    onChange: (change) => directory.evictAffected(change),
    warn: oncePerMinute(monotonic, (what) => http.log.warn(what)),
    otherChannel: { channel: limitChannel, onNotice: (notice) => limiter.applyNotice(notice) },
  });
  const directory = new CredentialDirectory(db, listener);
  const stopNotices = onNotice(db, (notice) => {
    directory.evictAffected(parseAccessChange(notice));
    return siblings.askAll('access', notice, siblingTimeoutMs);
  });
  siblings.onQuestion('access', (notice: string) => directory.evictAffected(parseAccessChange(notice)));
  const sealing = new Sealing(
    () => installationSecret(config.secretKey, config.dataDir),
    oncePerMinute(monotonic, (what) => http.log.error(what)),
  );
  const devices = new KnownDevices(sealing, clock);
  const sessions = new AdminSessions(db, clock);
  const studentSessions = new StudentSessions(db, clock);
  const events = new AccountEvents(db, clock, http.log, (error) =>
    failures.report(error, 'account event not recorded'),
  );
  const flushLogs = () => Promise.all([audit.flush(), events.flush()]).then(() => null);
  siblings.onQuestion('flush', flushLogs);
  const keysInUse = new KeysInUse();
  const counters = new Counters({
    database,
    // Siblings share the database's connections, so each process uses fewer.
    connectionsMax: siblings.count === 1 ? 3 : 1,
    sealing,
    databaseClock,
    report: (error) => failures.report(error, 'end of an attempt not stored'),
  });
  const limiter = new RateLimiter({
    totalPerMinute: config.rateLimitTotalPerMinute,
    writePerMinute: config.rateLimitWritePerMinute,
    db,
    ...clocks,
  });
  const sender = new WebhookSender(config.webhookAllowPrivate, resolve);
  const openIdConnect = new OpenIdConnect(clock, config.httpProvidersOnLoopback);
  const initialPasswords = new InitialPasswords({
    generated: config.initialPasswordDays,
    given: config.givenPasswordDays,
  });
  const imports = createImportWorker({
    db,
    ...clocks,
    sealing,
    passwords: initialPasswords,
    report: (error) => failures.report(error, 'import interrupted'),
  });
  const services: RouteServices = {
    db,
    imports,
    ledger: new ScoreLedger(
      database,
      new LockPolicy(database.blockedWritesMax, lockedRowWaitMs),
      metrics?.recordBatch,
    ),
    keysInUse,
    flushLogs: () => Promise.all([flushLogs(), siblings.askAll('flush', null, flushTimeoutMs)]),
    sessions,
    studentSessions,
    sealing,
    events,
    codeGuesses: new WrongCodeLimit(counters),
    signInAddresses: new SignInAddresses(counters),
    initialPasswords,
    strictPasswords: config.strictPasswords,
    sender,
    openIdConnect,
    settings: { tokenPrefix: config.tokenPrefix, maxExpireDays: config.tokenMaxExpireDays },
    schoolTimeZone: config.schoolTimeZone,
    logDays: config.auditRetentionDays,
  };
  const statistics = new Statistics();
  const externalRoutes = createExternalRoutes(services, statistics);
  const internalRoutes = createInternalRoutes(services, statistics, createSampleAnswerReader(externalRoutes));
  const records = createRecordReaders(db);

  http.addHook('onRequest', (request, reply, done) => {
    const hasOwnEnvelope = [internalPrefix, rosterPrefix].some((prefix) => request.url.startsWith(prefix));
    if (!isRefused(request.raw) || hasOwnEnvelope) return done();
    const { message, retryAfterSeconds } = unavailable();
    reply.code(503).header('retry-after', retryAfterSeconds).type('text/plain; charset=utf-8').send(message);
  });
  // Removes Fastify's parsers, because only the APIs read bodies, through `BodyMemory`.
  http.removeAllContentTypeParsers();
  const bodies = {
    known: new BodyMemory(32 * 1_048_576, monotonic),
    // Separate, because a call that checks a list holds the memory until the check ends.
    lists: new BodyMemory(32 * 1_048_576, monotonic),
    unknown: new BodyMemory(16 * 1_048_576, monotonic),
  };
  await http.register(pageRoutes);
  http.get('/healthz', async () => ({ status: 'ok' }));
  http.get('/readyz', async (_request, reply) => {
    if (stopping.signal.aborted && !isLeaving) return reply.code(503).send({ status: 'stopping' });
    const ready = (await writeCheck.state()) === 'writable';
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'database unavailable' });
  });
  if (metrics && config.metricsToken) addMetricsRoute(http, metrics, config.metricsToken, siblings);
  await http.register(documentationRoutes, { version, keyLengthMax: config.idempotencyKeyMaxLength });
  const apiContext = { activeRequests, watch, sender: answerSender, db, clock, failures };
  const ofCredentials = { ...apiContext, directory, limiter, audit, uses };
  const keys = { keysInUse, keyLengthMax: config.idempotencyKeyMaxLength };
  await http.register(externalApi, {
    ...ofCredentials,
    ...keys,
    prefix: externalPrefix,
    bodies: bodies.known,
    routes: externalRoutes,
    records: records.external,
  });
  await http.register(internalApi, {
    ...apiContext,
    ...keys,
    prefix: internalPrefix,
    sessions,
    studentSessions,
    throttles: new Throttles(counters, config.applicationsPerHour),
    events,
    devices,
    bodies,
    requireConfirmations: config.requireConfirmations,
    routes: internalRoutes,
    records: records.internal,
  });
  await http.register(rosterApi, {
    ...ofCredentials,
    prefix: rosterPrefix,
    bodies: bodies.unknown,
    sealing,
    collections: rosterCollections(db),
  });
  await http.register(providerSignIn, {
    prefix: providerPrefix,
    counters,
    failures,
    watch,
    log: http.log,
    devices,
    flows: new SignInFlows({ db, clock, sealing, sessions, events, openIdConnect }),
    flowValidMs: flowLifetimeMs,
  });
  await listener.start();
  await http.ready();

  const housekeeping = new Housekeeping({
    db,
    ...clocks,
    rules: {
      auditDays: config.auditRetentionDays,
      idempotencyHours: config.idempotencyRetentionHours,
      applicationDays: config.applicationRetentionDays,
    },
    sessions,
    studentSessions,
    limiter,
    counters,
    metrics,
    failures,
    log: http.log,
    stop: stopping.signal,
  });

  const webhooks = createWebhookWorker({
    db,
    ...clocks,
    sealing,
    sender,
    log: http.log,
    onAttempt: (outcome) => metrics?.recordWebhookAttempt(outcome.delivered),
    report: (error) => failures.report(error, 'webhooks not delivered'),
  });

  return {
    http,
    metrics,
    housekeep: () => housekeeping.run(),
    deliverWebhooks: () => webhooks.runUntilIdle(),
    runImports: () => imports.runUntilIdle(),
    startBackgroundWork: () => {
      housekeeping.start();
      webhooks.start();
      imports.start();
    },
    close: async (how = {}) => {
      isLeaving = (how.retireMs ?? 0) > 0;
      stopping.abort();
      const more = { http, connections, housekeeping, webhooks, imports, events, listener };
      await closeInOrder({ ...ofCredentials, ...more }, how);
      stopNotices();
    },
  };
}
