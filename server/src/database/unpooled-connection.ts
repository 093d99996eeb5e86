import type pg from 'pg';
import { DatabaseClient, type DatabaseTarget } from './client.ts';
import { connectionOptions } from './connect.ts';

/** Opens one connection outside the pools; the caller ends it. @throws the error of pg when the connection fails */
export async function openUnpooledConnection(
  target: DatabaseTarget,
  options: pg.ClientConfig = {},
): Promise<pg.Client> {
  const client = new DatabaseClient({ ...connectionOptions(target), ...options } as pg.ClientConfig);
  await client.connect();
  return client;
}

/** Runs work on one connection outside the pools, until it ends or is aborted. @throws the reason of the abort */
export async function onUnpooledConnection<T>(
  target: DatabaseTarget,
  stop: AbortSignal,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await openUnpooledConnection(target);
  // Ends the connection, so that the active statement fails and the work stops.
  const end = () => void client.end().catch(() => {});
  stop.addEventListener('abort', end);
  try {
    stop.throwIfAborted();
    return await work(client);
  } catch (error) {
    stop.throwIfAborted();
    throw error;
  } finally {
    stop.removeEventListener('abort', end);
    await client.end().catch(() => {});
  }
}

/** Makes text values readable for any PostgreSQL and removes time limits, for the current transaction. */
export async function setTextFormats(client: pg.ClientBase): Promise<void> {
  await client.query(
    `SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres';
     SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex';
     SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`,
  );
}
