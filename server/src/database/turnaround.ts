import type { Socket } from 'node:net';
import pg from 'pg';
import { failureOf, query, statementOf } from './connect.ts';
import type { Run } from './transaction.ts';

/** Parts of pg's query that its types do not declare. */
interface Insides {
  submit(connection: Wire): Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
  handleReadyForQuery(connection: Wire): void;
  handleError(error: Error, connection: Wire): void;
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
 * Sends statements that do not need one another's results in one write; separate statements cost a system call each.
 * After a failed statement, the server skips the rest, and they fail with the same error.
 */
export class Turnaround {
  readonly #client: pg.ClientBase;
  readonly #statements: Statement[] = [];
  #isSent = false;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  /** Adds a statement. After `send`, runs it as a separate query. */
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

  send(): void {
    this.#isSent = true;
    if (this.#statements.length > 0) this.#client.query(new Together(this.#statements));
  }
}

/** Runs synchronous work and sends everything that it writes to the connection in one system call. */
export function inOnePiece<T>(client: pg.ClientBase, work: () => T): T {
  const { stream } = (client as unknown as { connection: Wire }).connection;
  stream.cork();
  try {
    return work();
  } finally {
    stream.uncork();
  }
}

/** Looks like one query to pg, and passes each answer to the statement it belongs to. */
class Together extends pg.Query {
  readonly statements: readonly Statement[];
  #present = 0;
  /** Name and text of the current statement: from them pg records what is prepared on the connection. */
  declare name: string | undefined;
  declare text: string;
  /** pg sets this when `query_timeout` limits the query: it stops the timer. */
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
    // Leave out the sync of each statement: the server then answers all of them at the one final sync.
    const withoutEnd: Wire = Object.create(wire, { sync: { value: () => {} } });
    wire.stream.cork();
    try {
      for (const statement of this.statements) {
        const error = statement.submit(withoutEnd) ?? statement.failure;
        // If pg cannot send one statement, the answers would be assigned to the wrong statements.
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
      // The statement failed or was skipped, so the server may not know its name.
      if (statement.name !== undefined) delete wire.submittedNamedStatements[statement.name];
      statement.handleError(error, wire);
    }
    this.#begin(this.statements.length);
    this.callback?.(error);
  }
}
