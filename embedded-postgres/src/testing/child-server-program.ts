import { startEmbeddedPostgres } from '../embedded-postgres.ts';

/**
 * Starts the embedded server on a folder and prints the result as one line of JSON. Usage: `node child-server-program.ts
 * <folder> hold|leave`. With `hold` it then runs until killed. With `leave` it ends and leaves the server running.
 */
const [, , folder = '', mode] = process.argv;
try {
  const server = await startEmbeddedPostgres({ folder });
  console.log(JSON.stringify({ connection: server.connection, adopted: server.wasTakenOver }));
  if (mode === 'hold') setInterval(() => {}, 60_000);
} catch (error) {
  console.log(JSON.stringify({ error: String(error) }));
}
