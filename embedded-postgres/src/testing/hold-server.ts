import { startEmbeddedPostgres } from '../embedded-postgres.ts';

/**
 * A program of its own that starts the embedded server on a folder and reports how that went, as one line of
 * JSON. Usage: `node hold-server.ts <folder> hold|leave`. With `hold` it then lives until it is killed; with
 * `leave` it does nothing more, neither ending nor stopping the server.
 */
const [, , folder = '', mode] = process.argv;
try {
  const server = await startEmbeddedPostgres({ folder });
  console.log(JSON.stringify({ connection: server.connection, adopted: server.adopted }));
  if (mode === 'hold') setInterval(() => {}, 60_000);
} catch (error) {
  console.log(JSON.stringify({ error: String(error) }));
}
