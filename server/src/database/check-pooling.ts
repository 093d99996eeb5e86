import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { DatabaseTarget } from './client.ts';
import type { Pooling } from './connect.ts';
import { endWithTimeout } from './connection-watch.ts';
import { DatabaseUnusableError } from './database-unusable.ts';
import { openUnpooledConnection } from './unpooled-connection.ts';

/** The order in which two connections ask for their session, which reveals every kind of shared sessions. */
const probeOrder = [0, 0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 1] as const;
const answerTimeoutMs = 5_000;
const notificationTimeoutMs = 5_000;

/** Checks that the settings match the poolers. Null for `listenTarget` means `target`. @throws DatabaseUnusableError */
export async function checkPooling(
  target: DatabaseTarget,
  listenTarget: DatabaseTarget | null,
  pooling: Pooling,
): Promise<void> {
  if (pooling === 'session' && (await sharesSessions(target))) {
    throw new DatabaseUnusableError(
      'DATABASE_URL leads through a pooler in transaction mode: set DATABASE_POOLING=transaction and, if possible, DATABASE_LISTEN_URL to a direct connection; or use a pooler in session mode',
    );
  }
  if (pooling === 'transaction') await checkTimeZone(target);
  if (listenTarget === null) return;
  try {
    if (await sharesSessions(listenTarget)) {
      throw new DatabaseUnusableError(
        'DATABASE_LISTEN_URL leads through a pooler in transaction mode, which delivers no notifications: connect it to the PostgreSQL server',
      );
    }
    await checkListening(target, listenTarget);
  } catch (error) {
    if (error instanceof DatabaseUnusableError) throw error;
    const reason = (error as Error).message || 'nobody answers';
    throw new DatabaseUnusableError(`The database of DATABASE_LISTEN_URL cannot be used: ${reason}`, {
      cause: error,
    });
  }
}

/** Returns whether connections share sessions. Without a pooler, the connection knows its session's process id. */
async function sharesSessions(target: DatabaseTarget): Promise<boolean> {
  return withConnection(target, async (first) => {
    const session = await sessionOf(first);
    if (session === (first as unknown as { processID: number }).processID) return false;
    return withConnection(target, async (second) => {
      const clients = [first, second] as const;
      const sessions: [Set<number>, Set<number>] = [new Set([session]), new Set()];
      for (const which of probeOrder) sessions[which].add(await sessionOf(clients[which]));
      const [ones, others] = sessions;
      return ones.size > 1 || others.size > 1 || others.has(session);
    });
  });
}

async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid as number;
}

/** Checks that sessions use UTC, because the parser reads timestamps as UTC. */
async function checkTimeZone(target: DatabaseTarget): Promise<void> {
  await withConnection(target, async (client) => {
    for (let i = 0; i < probeOrder.length; i++) {
      const { rows } = await client.query<{ zone: string }>("SELECT current_setting('TimeZone') AS zone");
      if (rows[0]?.zone === 'UTC') continue;
      throw new DatabaseUnusableError(
        `The pooler of DATABASE_URL does not keep the time zone that a connection asks for (${rows[0]?.zone}): set the time zone of the role or the database to UTC`,
      );
    }
  });
}

async function checkListening(target: DatabaseTarget, listenTarget: DatabaseTarget): Promise<void> {
  const channel = `classledger_${randomUUID()}`;
  await withConnection(listenTarget, async (listener) => {
    const isNotified = new Promise<boolean>((resolve) => {
      listener.on('notification', () => resolve(true));
      listener.on('end', () => resolve(false));
      setTimeout(() => resolve(false), notificationTimeoutMs).unref();
    });
    await listener.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    await withConnection(target, (sender) => sender.query('SELECT pg_notify($1, $2)', [channel, '']));
    if (await isNotified) return;
    throw new DatabaseUnusableError(
      'DATABASE_LISTEN_URL does not receive notifications that are sent through DATABASE_URL: connect both to the same database of the same server',
    );
  });
}

async function withConnection<T>(
  target: DatabaseTarget,
  check: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await openUnpooledConnection(target, {
    application_name: 'classledger check',
    connectionTimeoutMillis: answerTimeoutMs,
    query_timeout: answerTimeoutMs,
  });
  try {
    return await check(client);
  } finally {
    await endWithTimeout(client);
  }
}
