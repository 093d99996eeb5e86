/** A metric as the library tells it from one process to another. */
export interface Metric {
  readonly name: string;
  readonly type: string;
  readonly values: readonly Value[];
}

interface Value {
  readonly value: number;
  readonly labels: object;
  /** Of the parts of a histogram. */
  readonly metricName?: string;
}

/**
 * What workers that have ended had counted when they were last asked. It stays in the sum, as far as somebody has read it: a
 * counter that falls would count as one that begins anew, and all of it would be counted once more.
 */
export class DepartedFigures {
  readonly #last = new Map<object, readonly Metric[]>();
  readonly #departed = new Map<string, { metric: Metric; values: Map<string, Value> }>();
  #ended = 0;

  /** @param figures what a worker has told about itself */
  heard(worker: object, figures: unknown): void {
    if (Array.isArray(figures)) this.#last.set(worker, figures);
  }

  /** @param wasTold whether it was told to end */
  gone(worker: object, wasTold: boolean): void {
    if (!wasTold) this.#ended++;
    for (const metric of this.#last.get(worker) ?? []) {
      if (metric.type === 'counter' || metric.type === 'histogram') this.#add(metric);
    }
    this.#last.delete(worker);
  }

  /** The sum of all that are gone, and what the parent counts, as one more worker would tell it. */
  get figures(): readonly Metric[] {
    const one = (name: string, type: string, value: number) => ({
      name,
      type,
      values: [{ value, labels: {} }],
    });
    return [
      ...[...this.#departed.values()].map(({ metric, values }) => ({
        ...metric,
        values: [...values.values()],
      })),
      one('classledger_workers_ended_total', 'counter', this.#ended),
      // Of the server: a worker that is exchanged is no restart.
      one('process_start_time_seconds', 'gauge', performance.timeOrigin / 1_000),
    ];
  }

  #add(metric: Metric): void {
    const { values } = this.#departed.get(metric.name) ?? { values: new Map<string, Value>() };
    this.#departed.set(metric.name, { metric, values });
    for (const one of metric.values) {
      const key = JSON.stringify([one.metricName, one.labels]);
      values.set(key, { ...one, value: one.value + (values.get(key)?.value ?? 0) });
    }
  }
}
