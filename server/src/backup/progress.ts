import type { Monotonic } from '../clock.ts';

const everyMs = 2_000;

/** Tells people at a terminal how far a long work is. */
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

  /** A table begins. @param expected about how many rows it has; 0 where nobody knows */
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

  /** Something else that takes its time; always told. */
  step(line: string): void {
    this.#tell(line);
    this.#told = this.#monotonic();
  }

  #line(line: () => string): void {
    if (this.#monotonic() - this.#told < everyMs) return;
    this.step(line());
  }
}
