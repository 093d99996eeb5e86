import type { Aggregator, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
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

type Prometheus = typeof import('@prometheus-io/client');

function setAggregator(registry: Registry, name: string, by: Aggregator): void {
  (registry.getSingleMetric(name) as unknown as { aggregator: Aggregator }).aggregator = by;
}

/** Takes labels only from the contract and closed lists, not from ids, paths or names, so their number is bounded. */
export class Metrics {
  readonly #registry: Registry;
  readonly #aggregateSnapshots: (figures: readonly MetricsSnapshot[]) => Registry;
  readonly #collectors: (() => void | Promise<void>)[] = [];
  readonly #requests: Counter<'door' | 'operation' | 'code'>;
  readonly #seconds: Histogram<'door' | 'operation'>;
  readonly #refusals: Counter<'door' | 'kind'>;
  readonly #slow: Counter;
  readonly #batchWrites: Histogram;
  readonly #batchEntries: Histogram;
  readonly #batchWait: Histogram;
  readonly #housekeeping: Counter<'result'>;
  readonly #housekeepingAt: Gauge;
  readonly #webhooks: Counter<'result'>;
  readonly #backups: Counter<'result'>;
  readonly #backupAt: Gauge;

  /** Loads the library only when metrics are on. */
  static async open(sources: MetricSources): Promise<Metrics> {
    const { default: prometheus } = await import('@prometheus-io/client');
    return new Metrics(prometheus, sources);
  }

  constructor(prometheus: Prometheus, sources: MetricSources) {
    const registry = new prometheus.Registry();
    const registers = [registry];
    const counter = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
      new prometheus.Counter({ name: `classledger_${name}`, help, labelNames, registers });
    /** @param several how to aggregate the values of processes that share a port */
    const gauge = <L extends string>(
      name: string,
      help: string,
      labelNames: L[] = [],
      several: Aggregator = 'sum',
    ) =>
      new prometheus.Gauge({
        name: `classledger_${name}`,
        help,
        labelNames,
        registers,
        aggregator: several,
      });
    const histogram = <L extends string>(
      name: string,
      help: string,
      buckets: number[],
      labelNames: L[] = [],
    ) => new prometheus.Histogram({ name: `classledger_${name}`, help, buckets, labelNames, registers });

    this.#registry = registry;
    this.#aggregateSnapshots = (figures) => prometheus.Registry.aggregate([...figures]);
    this.#requests = counter(
      'requests_total',
      'Responses of the APIs; code is the error code at the external API, otherwise the HTTP status',
      ['door', 'operation', 'code'],
    );
    this.#seconds = histogram(
      'request_duration_seconds',
      'From the arrival of a request until its response is made',
      secondsBuckets,
      ['door', 'operation'],
    );
    this.#refusals = counter('refusals_total', 'Requests turned away by a limit or by trouble', [
      'door',
      'kind',
    ]);
    // Starts at 0, because Prometheus sees an increase only after it has read a first value.
    for (const api of apiNames) for (const kind of refusals) this.#refusals.inc({ door: api, kind }, 0);
    this.#slow = counter('slow_requests_total', 'Requests that the log calls slow');
    this.#batchWrites = histogram(
      'ledger_batch_writes',
      'Score writes that shared a transaction',
      sizeBuckets,
    );
    this.#batchEntries = histogram('ledger_batch_entries', 'Records in one transaction', sizeBuckets);
    this.#batchWait = histogram(
      'ledger_wait_seconds',
      'How long the first score write of a transaction waited for it to begin',
      secondsBuckets,
    );
    this.#housekeeping = counter('housekeeping_total', 'Rounds of housekeeping', ['result']);
    this.#housekeepingAt = gauge(
      'housekeeping_last_success_timestamp_seconds',
      'When housekeeping last went through',
      [],
      'max',
    );
    this.#webhooks = counter('webhook_attempts_total', 'Messages that were sent to webhooks', ['result']);
    this.#backups = counter('backups_total', 'Nightly backups of the embedded database', ['result']);
    this.#backupAt = gauge(
      'backup_last_success_timestamp_seconds',
      'When the newest nightly backup of the embedded database was made; 0: none is there',
      [],
      'max',
    );
    for (const result of ['success', 'failure']) {
      this.#housekeeping.inc({ result }, 0);
      this.#backups.inc({ result }, 0);
      this.#webhooks.inc({ result }, 0);
    }

    const connections = gauge('database_connections', 'Connections to the database', ['pool', 'state']);
    const connectionsMax = gauge('database_connections_max', 'Connections that a pool may open', ['pool']);
    const waiting = gauge('database_waiting', 'Work that waits for a connection', ['pool']);
    this.#collectors.push(() => {
      for (const { pool, max, open, used, waiting: waits } of sources.pools()) {
        connections.set({ pool, state: 'used' }, used);
        connections.set({ pool, state: 'idle' }, open - used);
        connectionsMax.set({ pool }, max);
        waiting.set({ pool }, waits);
      }
    });
    const up = gauge('database_up', '1 when the database responds', [], 'min');
    const writable = gauge('database_writable', '1 when the database takes writes', [], 'min');
    this.#collectors.push(async () => {
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
      this.#collectors.push(() => {
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
    this.#collectors.push(() => {
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
    for (const p of ['p50', 'p90', 'p99'])
      setAggregator(registry, `nodejs_eventloop_lag_${p}_seconds`, 'max');
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  async snapshot(): Promise<MetricsSnapshot> {
    await Promise.all(this.#collectors.map((read) => read()));
    return this.#registry.getMetricsAsJSON();
  }

  /** Formats the metrics of processes that share a port. Counts are added; each gauge defines its aggregation. */
  format(snapshots: readonly MetricsSnapshot[]): Promise<string> {
    return snapshots.length === 1 ? this.#registry.metrics() : this.#aggregateSnapshots(snapshots).metrics();
  }

  get names(): readonly string[] {
    return this.#registry.getMetricsAsArray().map(({ name }) => name);
  }

  /** @param operation of the contract; empty for requests without an operation */
  recordAnswer(api: ApiName, operation: string, code: number, milliseconds: number): void {
    this.#requests.inc({ door: api, operation, code });
    this.#seconds.observe({ door: api, operation }, milliseconds / 1_000);
  }

  recordRefusal(api: ApiName, kind: RefusalKind): void {
    this.#refusals.inc({ door: api, kind });
  }

  recordSlowRequest(): void {
    this.#slow.inc();
  }

  readonly recordBatch = (writes: number, entries: number, waitedMs: number): void => {
    this.#batchWrites.observe(writes);
    this.#batchEntries.observe(entries);
    this.#batchWait.observe(waitedMs / 1_000);
  };

  recordHousekeeping(round: Promise<unknown>): Promise<void> {
    return recordResult(round, this.#housekeeping, this.#housekeepingAt);
  }

  recordWebhookAttempt(delivered: boolean): void {
    this.#webhooks.inc({ result: delivered ? 'success' : 'failure' });
  }

  recordBackup(work: Promise<unknown>): Promise<void> {
    return recordResult(work, this.#backups, this.#backupAt);
  }

  setNewestBackup(at: Date): void {
    this.#backupAt.set(at.getTime() / 1_000);
  }
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
