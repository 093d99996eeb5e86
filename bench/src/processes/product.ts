import { resolve } from 'node:path';
import { untilAborted } from '../../../server/src/concurrency/until-aborted.ts';
import { Remote, signInAt } from '../../../server/test/remote.ts';
import { ServerProcess } from '../../../server/test/server-process.ts';

/** `npm start` runs the same program, so the benchmark has the same memory limits. */
const program = [process.execPath, resolve(import.meta.dirname, '../../../server/bin/classledger.js')];
export const firstAdmin = { username: 'admin', password: 'benchmark password' };
const unlimited = '100000000';

const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => interruption.abort(new Error(`Interrupted by ${name}`)));
}
/** Aborts with Ctrl+C, so that a benchmark can stop its server and remove its data. */
export const interrupted = interruption.signal;

export type Settings = Readonly<Record<string, string>>;

/** A running server. */
export interface Product {
  readonly pid: number;
  readonly port: number;
  readonly remote: Remote;
  /** A session of the first administrator. */
  readonly admin: Awaited<ReturnType<typeof signInAt>>;
}

/** Runs `work` with a server on a data folder. @throws Error if the server ends meanwhile */
export async function withProduct<T>(
  folder: string,
  settings: Settings,
  work: (product: Product) => Promise<T>,
): Promise<T> {
  const common = {
    DATA_DIR: folder,
    PORT: '0',
    ADMIN_PASSWORD: firstAdmin.password,
    RATE_LIMIT_TOTAL_PER_MINUTE: unlimited,
    RATE_LIMIT_WRITE_PER_MINUTE: unlimited,
    LOG_LEVEL: 'warn',
  };
  const server = new ServerProcess({ ...common, ...settings }, folder, undefined, program);
  await server.ready();
  const address = server.address as string;
  const remote = new Remote(address);
  const run = async () => {
    const admin = await signInAt(remote, firstAdmin);
    return work({ pid: server.pid, port: Number(new URL(address).port), remote, admin });
  };
  const lost = server.ended.then((how): never => {
    throw new Error(`The server has ended by itself: ${JSON.stringify(how)} ${server.stderr}`);
  });
  try {
    return await untilAborted(interrupted, Promise.race([run(), lost]));
  } finally {
    remote.close();
    const { code } = await server.stop();
    if (code !== 0) {
      console.error(`The server did not stop cleanly: ${server.stderr}`);
      process.exitCode = 1;
    }
  }
}

/** Prints whether the totals follow from the ledger. @returns true if they do */
export async function verify(folder: string, settings: Settings): Promise<boolean> {
  const verification = new ServerProcess({ DATA_DIR: folder, ...settings }, folder, 'verify', program);
  const { code } = await verification.ended;
  console.log(`${verification.stdout}${verification.stderr}`.trimEnd());
  return code === 0;
}
