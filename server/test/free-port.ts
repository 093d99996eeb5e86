import { createServer } from 'node:net';

/** Below the ports that systems give out by themselves, to whatever else runs. Each process has some of its own. */
let nextPort = 20_000 + (process.pid % 100) * 100;

/** A port that is free now, and stays so for a program that is started on it later, or again. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = nextPort++;
    const server = createServer();
    const isFree = await new Promise<boolean>((done) => {
      server.once('error', () => done(false));
      server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
    });
    if (isFree) return port;
  }
}
