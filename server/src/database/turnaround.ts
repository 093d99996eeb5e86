import type { Socket } from 'node:net';
import pg from 'pg';
import { failureOf, query, statementOf } from './connect.ts';
import type { Run } from './transaction.ts';

/** What pg does with a statement and does not declare. */
interface Insides {
  submit(connection: Wire): Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
  handleReadyForQuery(connection: Wire): void;
  handleError(error: Error, connection: Wire): void;
  /** How values that come as text are read. */
  _result: { _types: unknown };
  callback: (error: Error | null, result: pg.QueryResult) => void;
}

interface Wire {
  readonly stream: Socket;
  readonly submittedNamedStatements: Record<string, string>;
  sync(): void;
}

interface Statement extends Insides {
  readonly name: string | undefined;
  readonly text: string;
  failure?: Error;
}

/**
 * Statements that do not wait for one another's results, on one connection. They are sent in one piece and answered in
 * one, where statements by themselves take a system call at each end to be sent and another one to be answered. After one
 * that fails the rest is not carried out, and fails for the same reason.
 */
export class Turnaround {
  readonly #client: pg.ClientBase;
  readonly #statements: Statement[] = [];
  #isSent = false;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  /** Adds a statement; one that comes once the others are sent goes by itself. */
  readonly run: Run = async <Row>(text: string, values: readonly unknown[]) => {
    if (this.#isSent) return (await query(this.#client, text, values)).rows as Row[];
    const config = { ...statementOf(this.#client, text, values), queryMode: 'extended' };
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
      throw failureOf(this.#client, error);
    });
  };

  /** Sends what was added. */
  send(): void {
    this.#isSent = true;
    if (this.#statements.length > 0) this.#client.query(new Together(this.#statements));
  }
}

/** Sends what the work sends on a connection in one system call. */
export function inOnePiece<T>(client: pg.ClientBase, work: () => T): T {
  const { stream } = (client as unknown as { connection: Wire }).connection;
  stream.cork();
  try {
    return work();
  } finally {
    stream.uncork();
  }
}

/** For pg they are one query, which is answered as whole; it hands on to each what is its own. */
class Together extends pg.Query {
  readonly statements: readonly Statement[];
  #present = 0;
  /** Of the present statement: pg remembers by them what is prepared on the connection. */
  declare name: string | undefined;
  declare text: string;
  /** Set by pg where `query_timeout` limits the time of a query: ends the watch over that time. */
  declare callback: ((error: Error | null) => void) | undefined;

  constructor(statements: readonly Statement[]) {
    super({ text: '' });
    this.statements = statements;
    this.#begin(0);
  }

  #begin(index: number): void {
    this.#present = index;
    const { name, text } = this.statements[index] ?? { name: undefined, text: '' };
    this.name = name;
    this.text = text;
  }

  get #statement(): Statement {
    return this.statements[this.#present] as Statement;
  }

  override submit = (connection: pg.Connection): Error | null => {
    const wire = connection as unknown as Wire;
    // The server takes what comes before the end of a piece for one, and answers then.
    const withoutEnd: Wire = Object.create(wire, { sync: { value: () => {} } });
    wire.stream.cork();
    try {
      for (const statement of this.statements) {
        const error = statement.submit(withoutEnd) ?? statement.failure;
        // One that pg cannot send would leave the others with the answers of their neighbours.
        if (error) wire.stream.destroy(error);
      }
      return null;
    } finally {
      wire.sync();
      wire.stream.uncork();
    }
  };

  handleRowDescription(message: unknown): void {
    this.#statement.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.#statement.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, wire: Wire): void {
    const statement = this.#statement;
    statement.handleCommandComplete(message, wire);
    statement.handleReadyForQuery(wire);
    this.#begin(this.#present + 1);
  }

  handleReadyForQuery(): void {
    this.callback?.(null);
  }

  handleError(error: Error, wire: Wire): void {
    for (const statement of this.statements.slice(this.#present)) {
      // The server has not read it.
      if (statement.name !== undefined) delete wire.submittedNamedStatements[statement.name];
      statement.handleError(error, wire);
    }
    this.#begin(this.statements.length);
    this.callback?.(error);
  }
}
