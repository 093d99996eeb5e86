import pg from 'pg';
import type { Field, JsonRows } from './json-rows.ts';
import { columnAt, numberAt } from './json-rows.ts';
import type { MessageWriter } from './message-writer.ts';

/** The list is JSON as a latin1 string: each character holds one byte of the UTF-8 encoding. */
export interface JsonPage<T = unknown> {
  readonly list: string & { readonly of?: T };
  /** Of all entries; 0 when the page is empty. */
  readonly total: number;
}

export interface PageStatement {
  readonly text: string;
  /** With a name, PostgreSQL keeps the statement prepared. */
  readonly name: string | undefined;
  /** In PostgreSQL's text format. */
  readonly values: readonly (string | null)[];
}

export interface PageStreams {
  readonly writer: MessageWriter;
  readonly rows: JsonRows;
}

interface PgConnection {
  readonly parsedStatements: Record<string, string | undefined>;
  readonly submittedNamedStatements: Record<string, string | undefined>;
}

/** Looks like a pipelined query to pg, asks for no column descriptions and takes rows before pg parses them. */
export class PageQuery {
  readonly text: string;
  readonly name: string | undefined;
  readonly values: readonly (string | null)[];
  /** With `query_timeout`, pg replaces this and needs it to be called when the query ends. */
  callback = () => {};
  readonly #fields: readonly Field[];
  readonly #streams: PageStreams;
  readonly #onPage: (page: JsonPage) => void;
  readonly #onError: (error: Error) => void;
  #total = 0;
  #hasRows = false;

  constructor(
    statement: PageStatement,
    fields: readonly Field[],
    streams: PageStreams,
    onPage: (page: JsonPage) => void,
    onError: (error: Error) => void,
  ) {
    this.text = statement.text;
    this.name = statement.name;
    this.values = statement.values;
    this.#fields = fields;
    this.#streams = streams;
    this.#onPage = onPage;
    this.#onError = onError;
  }

  submit({ parsedStatements, submittedNamedStatements }: PgConnection): null {
    const { text, name = '', values } = this;
    const { writer } = this.#streams;
    if (name === '') writer.parse('', text);
    else if (parsedStatements[name] === undefined && submittedNamedStatements[name] === undefined) {
      writer.parse(name, text);
      submittedNamedStatements[name] = text;
    }
    writer.run(name, values);
    return null;
  }

  takeRow(bytes: Buffer, at: number, length: number): void {
    if (!this.#hasRows) {
      this.#hasRows = true;
      this.#total = numberAt(bytes, columnAt(bytes, at, this.#fields.length));
    }
    this.#streams.rows.add(this.#fields, bytes, at, length);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback();
    this.#onPage({ list: this.#streams.rows.takeJson(), total: this.#total });
  }

  handleError(error: Error): void {
    // Clears its own rows; the statements after this one have none yet.
    if (this.#hasRows) this.#streams.rows.clear();
    this.callback();
    this.#onError(error);
  }
}

// In a pipeline, pg accepts only its own query class, because others may keep portals open. `PageQuery` keeps none, so
// it inherits from pg's class.
Object.setPrototypeOf(PageQuery.prototype, pg.Query.prototype);
