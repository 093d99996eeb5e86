import type { Socket } from 'node:net';
import pg from 'pg';
import { handleQueryError, query, toQueryConfig } from './connect.ts';
import type { RunStatement } from './transaction.ts';

interface PgQueryInternals {
  submit(connection: PgConnectionInternals): Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: PgConnectionInternals): void;
  handleReadyForQuery(connection: PgConnectionInternals): void;
  handleError(error: Error, connection: PgConnectionInternals): void;
  _result: { _types: unknown };
  callback: (error: Error | null, result: pg.QueryResult) => void;
}

interface PgConnectionInternals {
  readonly stream: Socket;
  readonly submittedNamedStatements: Record<string, string>;
  sync(): void;
}

interface Statement extends PgQueryInternals {
  readonly name: string | undefined;
  readonly text: string;
  failure?: Error;
}

/** Sends independent statements in one write. After a failed one, the rest fail with the same error. */
export class PipelinedBatch {
  readonly #client: pg.ClientBase;
  readonly #statements: Statement[] = [];
  #isSent = false;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  /** Adds a statement. After `send`, runs it as a separate query. */
  readonly run: RunStatement = async <Row>(text: string, values: readonly unknown[]) => {
    if (this.#isSent) return (await query(this.#client, text, values)).rows as Row[];
    const config = { ...toQueryConfig(this.#client, text, values), queryMode: 'extended' };
    const statement = new pg.Query(config as pg.QueryConfig) as unknown as Statement;
    statement._result._types = (this.#client as unknown as { _types: unknown })._types;
    const answered = new Promise<Row[]>((resolve, reject) => {
      statement.callback = (error, result) => {
        if (!error) return resolve(result.rows as Row[]);
        statement.failure = error;
        reject(error);
      };
    });
    this.#statements.push(statement);
    return answered.catch((error: unknown) => {
      throw handleQueryError(this.#client, error);
    });
  };

  send(): void {
    this.#isSent = true;
    if (this.#statements.length > 0) this.#client.query(new PipelinedQuery(this.#statements));
  }
}

/** Runs synchronous work and sends everything that it writes to the connection in one system call. */
export function sendInOneWrite<T>(client: pg.ClientBase, work: () => T): T {
  const { stream } = (client as unknown as { connection: PgConnectionInternals }).connection;
  stream.cork();
  try {
    return work();
  } finally {
    stream.uncork();
  }
}

/** Looks like one query to pg, and passes each answer to the statement it belongs to. */
class PipelinedQuery extends pg.Query {
  readonly statements: readonly Statement[];
  #currentIndex = 0;
  /** Name and text of the current statement, by which pg records the statements prepared on the connection. */
  declare name: string | undefined;
  declare text: string;
  /** pg sets this callback, which stops the timer, when `query_timeout` limits the query. */
  declare callback: ((error: Error | null) => void) | undefined;

  constructor(statements: readonly Statement[]) {
    super({ text: '' });
    this.statements = statements;
    this.#selectStatement(0);
  }

  #selectStatement(index: number): void {
    this.#currentIndex = index;
    const { name, text } = this.statements[index] ?? { name: undefined, text: '' };
    this.name = name;
    this.text = text;
  }

  get #currentStatement(): Statement {
    return this.statements[this.#currentIndex] as Statement;
  }

  override submit = (connection: pg.Connection): Error | null => {
    const wire = connection as unknown as PgConnectionInternals;
    // Leaves out the sync of each statement, so that the server answers all of them at one final sync.
    const withoutSync: PgConnectionInternals = Object.create(wire, { sync: { value: () => {} } });
    wire.stream.cork();
    try {
      for (const statement of this.statements) {
        const error = statement.submit(withoutSync) ?? statement.failure;
        // Cuts the connection if a statement is not sent, because answers would go to the wrong statements.
        if (error) wire.stream.destroy(error);
      }
      return null;
    } finally {
      wire.sync();
      wire.stream.uncork();
    }
  };

  handleRowDescription(message: unknown): void {
    this.#currentStatement.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.#currentStatement.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, wire: PgConnectionInternals): void {
    const statement = this.#currentStatement;
    statement.handleCommandComplete(message, wire);
    statement.handleReadyForQuery(wire);
    this.#selectStatement(this.#currentIndex + 1);
  }

  handleReadyForQuery(): void {
    this.callback?.(null);
  }

  handleError(error: Error, wire: PgConnectionInternals): void {
    for (const statement of this.statements.slice(this.#currentIndex)) {
      // Forgets the name, because the server may not know it when the statement failed or was skipped.
      if (statement.name !== undefined) delete wire.submittedNamedStatements[statement.name];
      statement.handleError(error, wire);
    }
    this.#selectStatement(this.statements.length);
    this.callback?.(error);
  }
}
