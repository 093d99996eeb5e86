import type { Aggregator, Counter, Gauge, Registry } from '@prometheus-io/client';
import type { PoolUsage } from '../database/connect.ts';
import type { DatabaseState } from '../database/write-check.ts';

export const refusals = [
  'rate_limit',
  'throttle',
  'server_full',
  'queue_full',
  'database_away',
  'database_unwritable',
  'database_busy',
  'row_locked',
  'too_slow',
] as const;
export type RefusalKind = (typeof refusals)[number];

export const apiNames = ['external', 'internal', 'provider', 'rosters'] as const;
export type ApiName = (typeof apiNames)[number];

export interface PendingWrites {
  readonly waiting: number;
  readonly lost: number;
}

export interface MetricSources {
  readonly version: string;
  readonly pools: () => readonly PoolUsage[];
  readonly database: () => Promise<DatabaseState>;
  readonly audit: () => PendingWrites;
  readonly uses: () => PendingWrites;
  readonly requestsUnderWay: () => number;
  readonly connections: () => { readonly open: number; readonly limitHits: number };
}

/** From a read out of memory to the longest wait that people accept. */
const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const sizeBuckets = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000];

export type MetricsSnapshot = object;

function setAggregator(registry: Registry, name: string, by: Aggregator): void {
  (registry.getSingleMetric(name) as unknown as { aggregator: Aggregator }).aggregator = by;
}

export type Metrics = Awaited<ReturnType<typeof openMetrics>>;

/**
 * Loads the library only when metrics are on. Takes labels only from the contract and closed lists, not from ids, paths
 * or names, so their number is bounded.
 */
export async function openMetrics(sources: MetricSources) {
  const { default: prometheus } = await import('@prometheus-io/client');
  const registry = new prometheus.Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new prometheus.Counter({ name: `classledger_${name}`, help, labelNames, registers });
  /** @param aggregator how to aggregate the values of processes that share a port */
  const gauge = <L extends string>(
    name: string,
    help: string,
    labelNames: L[] = [],
    aggregator: Aggregator = 'sum',
  ) => new prometheus.Gauge({ name: `classledger_${name}`, help, labelNames, registers, aggregator });
  const histogram = <L extends string>(name: string, help: string, buckets: number[], labelNames: L[] = []) =>
    new prometheus.Histogram({ name: `classledger_${name}`, help, buckets, labelNames, registers });

  const collectors: (() => void | Promise<void>)[] = [];
  const requests = counter(
    'requests_total',
    'Responses of the APIs; code is the error code at the external API, otherwise the HTTP status',
    ['door', 'operation', 'code'],
  );
  const seconds = histogram(
    'request_duration_seconds',
    'From the arrival of a request until its response is made',
    secondsBuckets,
    ['door', 'operation'],
  );
  const refused = counter('refusals_total', 'Requests turned away by a limit or by trouble', [
    'door',
    'kind',
  ]);
  // Starts at 0, because Prometheus sees an increase only after it has read a first value.
  for (const api of apiNames) for (const kind of refusals) refused.inc({ door: api, kind }, 0);
  const slow = counter('slow_requests_total', 'Requests that the log calls slow');
  const batchWrites = histogram('ledger_batch_writes', 'Score writes that shared a transaction', sizeBuckets);
  const batchEntries = histogram('ledger_batch_entries', 'Records in one transaction', sizeBuckets);
  const batchWait = histogram(
    'ledger_wait_seconds',
    'How long the first score write of a transaction waited for it to begin',
    secondsBuckets,
  );
  const housekeeping = counter('housekeeping_total', 'Rounds of housekeeping', ['result']);
  const housekeepingAt = gauge(
    'housekeeping_last_success_timestamp_seconds',
    'When housekeeping last went through',
    [],
    'max',
  );
  const webhooks = counter('webhook_attempts_total', 'Messages that were sent to webhooks', ['result']);
  const backups = counter('backups_total', 'Nightly backups of the embedded database', ['result']);
  const backupAt = gauge(
    'backup_last_success_timestamp_seconds',
    'When the newest nightly backup of the embedded database was made; 0: none is there',
    [],
    'max',
  );
  for (const result of ['success', 'failure']) {
    housekeeping.inc({ result }, 0);
    backups.inc({ result }, 0);
    webhooks.inc({ result }, 0);
  }

  const connections = gauge('database_connections', 'Connections to the database', ['pool', 'state']);
  const connectionsMax = gauge('database_connections_max', 'Connections that a pool may open', ['pool']);
  const waiting = gauge('database_waiting', 'Work that waits for a connection', ['pool']);
  collectors.push(() => {
    for (const { pool, max, open, used, waiting: waits } of sources.pools()) {
      connections.set({ pool, state: 'used' }, used);
      connections.set({ pool, state: 'idle' }, open - used);
      connectionsMax.set({ pool }, max);
      waiting.set({ pool }, waits);
    }
  });
  const up = gauge('database_up', '1 when the database responds', [], 'min');
  const writable = gauge('database_writable', '1 when the database takes writes', [], 'min');
  collectors.push(async () => {
    const state = await sources.database();
    up.set(state === 'unreachable' ? 0 : 1);
    writable.set(state === 'writable' ? 1 : 0);
  });
  for (const [name, what, read] of [
    ['audit', 'API call log records', sources.audit],
    ['credential_uses', 'uses of credentials', sources.uses],
  ] as const) {
    const queue = gauge(`${name}_queue_length`, `How many ${what} are not stored yet`);
    const lost = counter(`${name}_lost_total`, `How many ${what} are lost for good`);
    collectors.push(() => {
      queue.set(read().waiting);
      lost.reset();
      lost.inc(read().lost);
    });
  }
  const underWay = gauge('requests_under_way', 'Requests that are worked on');
  const open = gauge('connections_open', 'Connections of clients');
  const limitHits = counter(
    'connection_limits_met_total',
    'How often a connection was closed, or not taken, because there were too many',
  );
  collectors.push(() => {
    limitHits.reset();
    limitHits.inc(sources.connections().limitHits);
    underWay.set(sources.requestsUnderWay());
    open.set(sources.connections().open);
  });
  gauge('build_info', 'Always 1; the labels say what runs', ['version'], 'max').set(
    { version: sources.version },
    1,
  );
  counter('workers_ended_total', 'How many workers of this server ended by themselves; their parent tells');
  prometheus.collectDefaultMetrics({ register: registry });
  // Adds the start time, which the library leaves out of aggregates. That of the workers' parent is the earliest.
  setAggregator(registry, 'process_start_time_seconds', 'min');
  // Reports the largest lag, because a worker that lags keeps its clients waiting.
  for (const p of ['p50', 'p90', 'p99']) setAggregator(registry, `nodejs_eventloop_lag_${p}_seconds`, 'max');
  return {
    contentType: registry.contentType,
    async snapshot(): Promise<MetricsSnapshot> {
      await Promise.all(collectors.map((read) => read()));
      return registry.getMetricsAsJSON();
    },
    /** Formats the metrics of processes that share a port. Counts are added; each gauge defines its aggregation. */
    format: (snapshots: readonly MetricsSnapshot[]): Promise<string> =>
      (snapshots.length === 1 ? registry : prometheus.Registry.aggregate([...snapshots])).metrics(),
    names: (): readonly string[] => registry.getMetricsAsArray().map(({ name }) => name),
    /** @param operation of the contract; empty for requests without an operation */
    recordAnswer(api: ApiName, operation: string, code: number, milliseconds: number) {
      requests.inc({ door: api, operation, code });
      seconds.observe({ door: api, operation }, milliseconds / 1_000);
    },
    recordRefusal: (api: ApiName, kind: RefusalKind) => refused.inc({ door: api, kind }),
    recordSlowRequest: () => slow.inc(),
    recordBatch(writes: number, entries: number, waitedMs: number) {
      batchWrites.observe(writes);
      batchEntries.observe(entries);
      batchWait.observe(waitedMs / 1_000);
    },
    recordHousekeeping: (round: Promise<unknown>) => recordResult(round, housekeeping, housekeepingAt),
    recordWebhookAttempt: (delivered: boolean) => webhooks.inc({ result: delivered ? 'success' : 'failure' }),
    recordBackup: (work: Promise<unknown>) => recordResult(work, backups, backupAt),
    setNewestBackup: (at: Date) => backupAt.set(at.getTime() / 1_000),
  };
}

/** Counts the result of work, and stores the time of a success. Never rejects. */
async function recordResult(
  work: Promise<unknown>,
  results: Counter<'result'>,
  successAt: Gauge,
): Promise<void> {
  const result = await work.then(
    () => 'success',
    () => 'failure',
  );
  results.inc({ result });
  if (result === 'success') successAt.setToCurrentTime();
}
