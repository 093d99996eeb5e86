import type { MonotonicClock } from '../time/clock.ts';

const printEveryMs = 2_000;

export class Progress {
  readonly #print: (line: string) => void;
  readonly #monotonic: MonotonicClock;
  #printedAt: number;
  #table = '';
  #expected = 0;
  #rows = 0;

  constructor(monotonic: MonotonicClock, print: (line: string) => void) {
    this.#monotonic = monotonic;
    this.#print = print;
    this.#printedAt = monotonic();
  }

  /** @param expected approximate number of rows; 0 if unknown */
  begin(table: string, expected: number): void {
    this.#table = table;
    this.#expected = expected;
    this.#rows = 0;
  }

  addRows(count: number): void {
    this.#rows += count;
    if (this.#monotonic() - this.#printedAt < printEveryMs) return;
    const of = this.#expected > this.#rows ? ` of about ${this.#expected.toLocaleString('en')}` : '';
    this.printStep(`${this.#table}: ${this.#rows.toLocaleString('en')}${of} rows`);
  }

  printStep(line: string): void {
    this.#print(line);
    this.#printedAt = this.#monotonic();
  }
}
