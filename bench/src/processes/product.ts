import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('../../../', import.meta.url);
const main = fileURLToPath(new URL('server/src/main.js', root));
const admin = { username: 'admin', password: 'benchmark password' };
const unlimited = '100000000';
/** A server that has not stopped by then never will. */
const stopTimeoutMs = 60_000;

/** The product as its own process, started like an operator starts it. */
export interface Product {
  readonly pid: number;
  readonly port: number;
  /** Rejects when the server goes away without having been asked to. */
  readonly lost: Promise<never>;
  /** Stops it in an orderly way. @throws Error when it ends with an error */
  stop(): Promise<void>;
}

/** Settings of the product beyond those of the benchmark, such as `DATABASE_URL`. */
export type Settings = Readonly<Record<string, string>>;

/** Only what is set here reaches the product, whatever the machine's own settings are. */
function environment(folder: string, settings: Settings): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    // Settings are also read from a file in this folder, where there is none.
    INIT_CWD: folder,
    DATA_DIR: folder,
    PORT: '0',
    HOST: '127.0.0.1',
    ADMIN_USERNAME: admin.username,
    ADMIN_PASSWORD: admin.password,
    RATE_LIMIT_TOTAL_PER_MINUTE: unlimited,
    RATE_LIMIT_WRITE_PER_MINUTE: unlimited,
    WORKERS: '1',
    LOG_LEVEL: 'warn',
    ...settings,
  };
}

/** The environment and the Node options of `npm start`, so that what is measured is what is used. */
function startOptions(): { env: Record<string, string>; options: string[] } {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  // Before the way that is left to Windows.
  const [command = ''] = (scripts.start as string).split('||');
  const words = command.split(' ');
  return {
    env: Object.fromEntries(words.filter((word) => /^\w+=/.test(word)).map((word) => word.split('=', 2))),
    options: words.filter((word) => word.startsWith('--')),
  };
}

/** Starts the server on a data folder and waits until it is ready. */
export async function startProduct(
  folder: string,
  nodeOptions: readonly string[] = [],
  settings: Settings = {},
): Promise<Product> {
  const { env, options } = startOptions();
  const child = spawn(process.execPath, [...options, ...nodeOptions, main], {
    env: { ...env, ...environment(folder, settings) },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit').then(([code, signal]) => String(code ?? signal));
  let output = '';
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const found = /ready at http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1];
      if (found) resolve(Number(found));
    });
    void exited.then((how) => reject(new Error(`The server did not start (${how}): ${output}`)));
  });
  let isStopping = false;
  const lost = exited.then((how): never => {
    throw new Error(isStopping ? 'The server was stopped' : `The server has ended by itself (${how})`);
  });
  lost.catch(() => {});
  return {
    pid: child.pid as number,
    port,
    lost,
    stop: async () => {
      isStopping = true;
      child.kill('SIGTERM');
      const giveUp = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
      const how = await exited;
      clearTimeout(giveUp);
      if (how !== '0') throw new Error(`The server ended with ${how}`);
    },
  };
}

/** Works in a folder that is gone afterwards. */
export async function inOwnFolder<T>(name: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `classledger-${name}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Works with a product on a data folder. @throws Error also when the product ends meanwhile */
export async function withProduct<T>(folder: string, work: (product: Product) => Promise<T>): Promise<T> {
  const product = await startProduct(folder);
  try {
    return await Promise.race([work(product), product.lost]);
  } finally {
    await product.stop();
  }
}

/** Signs in, as the first administrator unless told otherwise. @returns the headers of requests in that session */
export async function signIn(port: number, as = admin): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json' };
  const login = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify(as),
  });
  const cookie = login.headers.getSetCookie()[0]?.split(';', 1)[0];
  if (!login.ok || cookie === undefined) throw new Error(`Login: ${await login.text()}`);
  return { ...headers, cookie };
}

/** What the internal API answers. */
interface Answered<T> {
  readonly success: boolean;
  readonly message: string;
  readonly data: T;
}

export type Call = Awaited<ReturnType<typeof adminCaller>>;

/** A school with one grade. @returns what names it in calls */
export async function createGrade(call: Call): Promise<{ schoolDb: number; gradeId: number }> {
  const { id: schoolDb } = await call<{ id: number }>('POST', '/schools', { name: 'Riverside School' });
  const { id: gradeId } = await call<{ id: number }>('POST', '/grades', { schoolDb, name: 'Grade 1' });
  return { schoolDb, gradeId };
}

/**
 * Calls of the internal API in the session of an administrator, the first one unless told otherwise.
 *
 * @returns a call; it throws on any answer but success
 */
export async function adminCaller(port: number, as = admin) {
  const headers = await signIn(port, as);
  return async <T>(method: string, path: string, body?: object): Promise<T> => {
    const url = `http://127.0.0.1:${port}/api${path}`;
    const answer = await fetch(url, { method, headers, body: body ? JSON.stringify(body) : null });
    const { success, message, data } = (await answer.json()) as Answered<T>;
    if (!success) throw new Error(`${method} ${path}: ${answer.status} ${message}`);
    return data;
  };
}

/** Has the server issue a credential of the whole school, as an administrator would. @returns the plaintext */
export async function issueCredential(port: number, schoolId: number): Promise<string> {
  const issued = await fetch(`http://127.0.0.1:${port}/api/api-tokens`, {
    method: 'POST',
    headers: { ...(await signIn(port)), 'x-confirm-password': admin.password },
    body: JSON.stringify({
      schoolDb: schoolId,
      name: 'Benchmark',
      scopeType: 'school',
      scopes: ['students:read', 'scores:read', 'scores:write', 'stats:read'],
    }),
  });
  if (!issued.ok) throw new Error(`Credential: ${await issued.text()}`);
  const { data } = (await issued.json()) as { data: { token: string } };
  return data.token;
}

/** Runs `classledger verify` on a data folder, or the database that the settings name. */
export async function verifyFolder(
  folder: string,
  settings: Settings = {},
): Promise<{ ok: boolean; output: string }> {
  const child = spawn(process.execPath, [main, 'verify'], {
    env: environment(folder, settings),
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = await once(child, 'exit');
  return { ok: code === 0, output: output.trimEnd() };
}
