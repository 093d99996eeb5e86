import type { Socket } from 'node:net';
import type pg from 'pg';
import { Parser } from 'pg-protocol/dist/parser.js';
import { type Field, JsonRows } from './json-rows.ts';
import { MessageWriter } from './message-writer.ts';
import { type JsonPage, PageQuery, type PageStatement, type PageStreams } from './page-query.ts';

export { type Field, fieldsOf } from './json-rows.ts';
export type { JsonPage } from './page-query.ts';

interface PgClientInternals {
  readonly connection: {
    attachListeners(stream: Socket): void;
    emit(event: string, message: object): void;
  };
  _getActiveQuery(): object | null;
}

interface PgParserInternals {
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): object;
}

const dataRow = 68;
/** Stands for the message of a row that `PageQuery` has taken. It is not emitted. */
const consumedRow = { name: 'rowTaken' };

const streamsOf = new WeakMap<pg.ClientBase, PageStreams>();

/** Makes a client pass rows to `queryPage` as bytes. Other queries work as in pg. Call it before `connect`. */
export function enablePages(pgClient: pg.Client): void {
  const client = pgClient as unknown as PgClientInternals;
  const { connection } = client;
  // pg calls this once, with the plain or the encrypted stream.
  connection.attachListeners = (stream) => {
    streamsOf.set(pgClient, { writer: new MessageWriter(stream), rows: new JsonRows() });
    const parser = new Parser();
    const packets = parser as unknown as PgParserInternals;
    const { handlePacket } = packets;
    packets.handlePacket = (offset, code, length, bytes) => {
      if (code === dataRow) {
        const query = client._getActiveQuery();
        if (query instanceof PageQuery) {
          query.takeRow(bytes, offset, length);
          return consumedRow;
        }
      }
      return handlePacket.call(parser, offset, code, length, bytes);
    };
    const emitMessage = (message: { readonly name: string }) => {
      if (message !== consumedRow)
        connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
    };
    stream.on('data', (bytes: Buffer) => parser.parse(bytes, emitMessage));
  };
}

/**
 * Runs a statement that selects the fields, then the count of all rows. It does not wait for earlier statements.
 * @param client connected, with `enablePages` and pg's option `pipeline` @throws the error of pg
 */
export function queryPage<T>(
  client: pg.ClientBase,
  statement: PageStatement,
  fields: readonly Field[],
): Promise<JsonPage<T>> {
  const streams = streamsOf.get(client);
  if (!streams)
    return Promise.reject(new Error('The client is not connected, or enablePages was not called'));
  return new Promise((resolve, reject) => {
    const onPage = (page: JsonPage) => resolve(page as JsonPage<T>);
    client.query(new PageQuery(statement, fields, streams, onPage, reject) as never);
  });
}
