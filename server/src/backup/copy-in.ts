import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { damagedBackup } from './backup-file.ts';
import { type CatalogueTable, quoted, quotedList } from './catalogue.ts';

export class CopyIn {
  readonly table: string;
  readonly #stream: ReturnType<typeof copyFrom>;
  #rows = 0;
  #failure: Error | undefined;
  #onFailure: (error: Error) => void = () => {};

  constructor(client: pg.ClientBase, { name, columns }: CatalogueTable, option: '' | 'FREEZE') {
    this.table = name;
    const how = option === '' ? '' : `(${option})`;
    // A trigger sees this SQL comment and skips its search for stored idempotency keys.
    const text = `COPY ${quoted(name)} (${quotedList(columns)}) FROM STDIN ${how} /* not stored yet */`;
    this.#stream = client.query(copyFrom(text));
    this.#stream.on('error', (error: Error) => {
      this.#failure = error;
      this.#onFailure(error);
    });
  }

  /** @throws DatabaseError of pg when PostgreSQL rejects rows */
  async write(data: Buffer, rows: number): Promise<void> {
    this.#rows += rows;
    await this.#runStep((done) => this.#stream.write(data, done));
  }

  /** @returns the number of rows @throws BackupError if PostgreSQL counted another number */
  async end(): Promise<number> {
    await this.#runStep((done) => this.#stream.end(done));
    if (this.#stream.rowCount !== this.#rows) throw damagedBackup(`rows of ${this.table} are missing`);
    return this.#rows;
  }

  abort(): void {
    if (this.#failure === undefined) this.#stream.destroy();
  }

  #runStep(start: (done: () => void) => void): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.#onFailure = (error) => reject(error);
      if (this.#failure) reject(this.#failure);
      else start(resolve);
    });
  }
}
