import pg from 'pg';

/** Opens a connection of its own, which must be ended. Use it in place of pg's class, which ends the run with an error that nobody hears. */
export async function openClient(target: pg.PoolConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...target } as pg.ClientConfig);
  // A server that stops says so to idle connections, too. The next statement fails, and that is enough.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Works with a connection of its own. */
export async function withClient<T>(
  target: pg.PoolConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await openClient(target);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
