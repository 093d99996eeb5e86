import type { Monotonic } from '../clock.ts';

const everyMs = 2_000;

/** Prints the progress of long work, at most every two seconds. */
export class Progress {
  readonly #tell: (line: string) => void;
  readonly #monotonic: Monotonic;
  #told: number;
  #table = '';
  #expected = 0;
  #rows = 0;

  constructor(monotonic: Monotonic, tell: (line: string) => void) {
    this.#monotonic = monotonic;
    this.#tell = tell;
    this.#told = monotonic();
  }

  /** @param expected approximate number of rows; 0 if unknown */
  begin(table: string, expected: number): void {
    this.#table = table;
    this.#expected = expected;
    this.#rows = 0;
  }

  rows(count: number): void {
    this.#rows += count;
    const of = this.#expected > this.#rows ? ` of about ${this.#expected.toLocaleString('en')}` : '';
    this.#line(() => `${this.#table}: ${this.#rows.toLocaleString('en')}${of} rows`);
  }

  step(line: string): void {
    this.#tell(line);
    this.#told = this.#monotonic();
  }

  #line(line: () => string): void {
    if (this.#monotonic() - this.#told < everyMs) return;
    this.step(line());
  }
}
