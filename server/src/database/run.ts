import type pg from 'pg';
import { query } from './connect.ts';

/** Runs one statement that is given as text; every value in it is a parameter. */
export type Run = <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>;

/** Runs statements on a connection. */
export const runOnClient =
  (client: pg.ClientBase): Run =>
  async <Row>(text: string, values: readonly unknown[]) =>
    (await query(client, text, values)).rows as Row[];

/**
 * Waits for all of several statements that were sent together on one connection, so that none is left behind on it.
 *
 * @throws what the first of them that failed, in the order given, failed with: the others fail because of it
 */
export async function together<T extends readonly unknown[]>(statements: T) {
  await Promise.allSettled(statements);
  return Promise.all(statements);
}
