import type pg from 'pg';
import { DatabaseClient, type DatabaseTarget } from './client.ts';
import { typeParsers } from './connect.ts';

/**
 * Opens one connection, out of all pools, which the caller ends. For work that has it for long and in one transaction,
 * {@link settleText} sets how values look as text.
 *
 * @param options in place of the usual ones
 * @throws whatever pg throws when none can be had
 */
export async function connectAlone(
  target: DatabaseTarget,
  options: pg.ClientConfig = {},
): Promise<pg.Client> {
  const client = new DatabaseClient({
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 15_000,
    application_name: 'classledger',
    ...target,
    types: typeParsers,
    ...options,
  } as pg.ClientConfig);
  await client.connect();
  return client;
}

/**
 * Settings of the transaction under way: values are written as text that every PostgreSQL reads alike, whatever is set
 * for the role or the database, and nothing is given up because it takes long.
 */
export async function settleText(client: pg.ClientBase): Promise<void> {
  await client.query(
    `SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres';
     SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex';
     SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`,
  );
}
