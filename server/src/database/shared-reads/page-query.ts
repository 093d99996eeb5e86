import pg from 'pg';
import type { Field, JsonRows } from './json-rows.ts';
import { columnAt, numberAt } from './json-rows.ts';
import type { Outbox } from './outbox.ts';

/** A page of a list of `T`, as JSON with one character for each byte of UTF-8. */
export interface JsonPage<T = unknown> {
  readonly list: string & { readonly of?: T };
  /** All entries, whatever the page; 0 where the page is empty. */
  readonly total: number;
}

/** What belongs to a connection that is asked for pages. */
export interface Ends {
  readonly outbox: Outbox;
  readonly rows: JsonRows;
}

interface PgConnection {
  readonly parsedStatements: Record<string, string | undefined>;
  readonly submittedNamedStatements: Record<string, string | undefined>;
}

/**
 * A statement whose rows become a page as they come. To pg it is a query like any other of a pipeline, but it says in
 * one piece what pg says in five, does not ask what the columns are, and takes the rows before pg makes values of them.
 */
export class PageQuery {
  readonly text: string;
  readonly name: string | undefined;
  readonly values: readonly (string | null)[];
  /** Pg puts another one in its place, where a statement has a limit of time, and waits for it to be called. */
  callback = () => {};
  readonly #fields: readonly Field[];
  readonly #ends: Ends;
  readonly #done: (page: JsonPage) => void;
  readonly #failed: (error: Error) => void;
  #total = 0;
  #hasRows = false;

  /**
   * @param statement its columns are the fields, and then the number of all entries
   * @param ends of the connection that it is sent on
   */
  constructor(
    statement: { text: string; name: string | undefined; values: readonly (string | null)[] },
    fields: readonly Field[],
    ends: Ends,
    done: (page: JsonPage) => void,
    failed: (error: Error) => void,
  ) {
    this.text = statement.text;
    this.name = statement.name;
    this.values = statement.values;
    this.#fields = fields;
    this.#ends = ends;
    this.#done = done;
    this.#failed = failed;
  }

  submit({ parsedStatements, submittedNamedStatements }: PgConnection): null {
    const { text, name = '', values } = this;
    const { outbox } = this.#ends;
    if (name === '') outbox.parse('', text);
    else if (parsedStatements[name] === undefined && submittedNamedStatements[name] === undefined) {
      outbox.parse(name, text);
      submittedNamedStatements[name] = text;
    }
    outbox.run(name, values);
    return null;
  }

  /** @param at where the number of columns stands */
  takeRow(bytes: Buffer, at: number, length: number): void {
    if (!this.#hasRows) {
      this.#hasRows = true;
      this.#total = numberAt(bytes, columnAt(bytes, at, this.#fields.length));
    }
    this.#ends.rows.add(this.#fields, bytes, at, length);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback();
    this.#done({ list: this.#ends.rows.take(), total: this.#total });
  }

  handleError(error: Error): void {
    // Those behind it have not begun.
    if (this.#hasRows) this.#ends.rows.clear();
    this.callback();
    this.#failed(error);
  }
}

// In a pipeline pg takes no query that is none of its own class: others keep portals open, which this does not.
Object.setPrototypeOf(PageQuery.prototype, pg.Query.prototype);
