import pg from 'pg';

/** Opens a connection that the caller ends; unlike pg's class, it survives errors while idle. */
export async function openClient(target: pg.PoolConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...target } as pg.ClientConfig);
  // Ignores the error that a stopping server reports to idle connections; the next statement fails anyway.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Runs work on a connection of its own. */
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
