import type { CheckedStudents, ImportEffect, ImportRow, ImportRun } from '@classledger/contract';
import type { AdminClient } from './identities.ts';
import type { TestApp } from './test-app.ts';

/** Starts imports of one school and applies their rows without waiting for the background worker. */
export class TestImports {
  readonly #test: TestApp;
  readonly #school: { schoolDb: string };
  readonly #by: AdminClient;

  constructor(test: TestApp, schoolDb: string, by: AdminClient) {
    this.#test = test;
    this.#school = { schoolDb };
    this.#by = by;
  }

  as(by: AdminClient): TestImports {
    return new TestImports(this.#test, this.#school.schoolDb, by);
  }

  async check(batch: readonly object[]): Promise<CheckedStudents> {
    return (await this.#by.post('/imports/check', { ...this.#school, batch })).data as CheckedStudents;
  }

  send(batch: readonly object[], more: object = {}, headers: Record<string, string> = {}) {
    return this.#by.post('/imports', { ...this.#school, source: 'list', batch, ...more }, headers);
  }

  /** Starts a run, which waits for `TestApp.app.runImports`. @returns its id */
  async start(batch: readonly object[], more: object = {}): Promise<number> {
    const { data, status } = await this.send(batch, more);
    if (status !== 200) throw new Error(`The import was refused with ${status}`);
    return (data as ImportRun).id;
  }

  async run(batch: readonly object[], more: object = {}): Promise<{ id: number; rows: ImportRow[] }> {
    const id = await this.start(batch, more);
    await this.#test.app.runImports();
    return { id, rows: await this.rows(id) };
  }

  rows = (id: number) => this.#get<ImportRow[]>(`${id}/rows`);
  read = (id: number) => this.#get<ImportRun>(`${id}`);
  effects = (id: number, query = '') => this.#get<ImportEffect[]>(`${id}/students`, query);

  async #get<T>(path: string, query = ''): Promise<T> {
    return (await this.#by.get(`/imports/${path}?schoolDb=${this.#school.schoolDb}${query}`)).data as T;
  }

  requestUndo(id: number) {
    return this.#by.post(`/imports/${id}/undo`, this.#school);
  }

  async undo(id: number): Promise<ImportRun> {
    await this.requestUndo(id);
    await this.#test.app.runImports();
    return this.read(id);
  }
}

type Outcome = Pick<ImportRow, 'code' | 'action'> & Pick<ImportEffect, 'before' | 'after'>;

/** Returns the result of each row in the form that the check of an import has. */
export const outcomesOf = (rows: readonly ImportRow[], effects: readonly ImportEffect[]): Outcome[] =>
  rows.map(({ code, action, userId }) => {
    const effect = action === 'updated' && effects.find((one) => one.userId === userId);
    const { before, after } = effect || { before: {}, after: {} };
    return { code, action, before, after };
  });

export const checkedOutcomes = ({ details }: CheckedStudents): Outcome[] =>
  details.map(({ code, action, before, after }) => ({ code, action, before, after }));
