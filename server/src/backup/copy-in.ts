import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { damaged } from './backup-file.ts';
import { type CatalogueTable, quoted, quotedList } from './catalogue.ts';

/** One COPY into a table. */
export class CopyIn {
  readonly table: string;
  readonly #stream: ReturnType<typeof copyFrom>;
  #rows = 0;
  #failure: Error | undefined;
  #onFailure: (error: Error) => void = () => {};

  /** @param option of COPY */
  constructor(client: pg.ClientBase, { name, columns }: CatalogueTable, option: '' | 'FREEZE') {
    this.table = name;
    const how = option === '' ? '' : `(${option})`;
    // The words in the comment tell a trigger that no idempotency key is there twice.
    const text = `COPY ${quoted(name)} (${quotedList(columns)}) FROM STDIN ${how} /* not stored yet */`;
    this.#stream = client.query(copyFrom(text));
    this.#stream.on('error', (error: Error) => {
      this.#failure = error;
      this.#onFailure(error);
    });
  }

  /** Waits until the rows are on their way. @throws DatabaseError of pg where PostgreSQL refuses some */
  async write(data: Buffer, rows: number): Promise<void> {
    this.#rows += rows;
    await this.#step((done) => this.#stream.write(data, done));
  }

  /** @returns how many rows are in. @throws BackupError unless they are as many as were announced */
  async end(): Promise<number> {
    await this.#step((done) => this.#stream.end(done));
    if (this.#stream.rowCount !== this.#rows) throw damaged(`not all rows of ${this.table} are there`);
    return this.#rows;
  }

  /** Takes the rows back, so that the connection can be used again. */
  giveUp(): void {
    if (this.#failure === undefined) this.#stream.destroy();
  }

  #step(start: (done: () => void) => void): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.#onFailure = (error) => reject(error);
      if (this.#failure) reject(this.#failure);
      else start(resolve);
    });
  }
}
