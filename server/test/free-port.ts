import { createServer } from 'node:net';

/** Below the ports that systems assign automatically; each process has a range of its own. */
let nextPort = 20_000 + (process.pid % 100) * 100;

/** Returns a free port that stays free for a program that starts on it later. */
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
