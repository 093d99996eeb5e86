import { startEmbeddedPostgres } from '../embedded-postgres.ts';

/** Usage: `<folder> hold|leave`. `hold` runs until killed; `leave` ends and leaves the server running. */
const [, , folder = '', mode] = process.argv;
try {
  const server = await startEmbeddedPostgres({ folder });
  console.log(JSON.stringify({ connection: server.connection }));
  if (mode === 'hold') setInterval(() => {}, 60_000);
} catch (error) {
  console.log(JSON.stringify({ error: String(error) }));
}
