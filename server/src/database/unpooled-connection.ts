import type pg from 'pg';
import { DatabaseClient, type DatabaseTarget } from './client.ts';
import { typeParsers } from './connect.ts';

/** Opens one connection outside the pools; the caller ends it. @throws the error of pg when the connection fails */
export async function openUnpooledConnection(
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

/** Makes text values readable for any PostgreSQL and removes time limits, for the current transaction. */
export async function setTextFormats(client: pg.ClientBase): Promise<void> {
  await client.query(
    `SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres';
     SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex';
     SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`,
  );
}
