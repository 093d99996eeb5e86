import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `npm start` runs the same program, so the benchmark has the same memory limits. */
const program = fileURLToPath(new URL('../../../server/bin/classledger.js', import.meta.url));
const admin = { username: 'admin', password: 'benchmark password' };
const unlimited = '100000000';
/** The benchmark fails if the server takes longer to stop. */
const stopTimeoutMs = 60_000;

export interface Product {
  readonly pid: number;
  readonly port: number;
  /** Rejects when the server ends by itself. */
  readonly lost: Promise<never>;
  /** Stops the server with SIGTERM. @throws Error when it ends with an error */
  stop(): Promise<void>;
}

export type Settings = Readonly<Record<string, string>>;

/** Sets everything that the product reads, so that settings of this machine do not affect it. */
function environment(folder: string, settings: Settings): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    // The server also reads a settings file from this folder, but the folder has none.
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

/** Starts the server on a data folder and waits until it is ready. */
export async function startProduct(
  folder: string,
  nodeOptions: readonly string[] = [],
  settings: Settings = {},
): Promise<Product> {
  const child = spawn(process.execPath, [...nodeOptions, program], {
    env: environment(folder, settings),
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

export async function withTemporaryFolder<T>(name: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `classledger-${name}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs `work` with a product on a data folder. @throws Error if the product ends meanwhile */
export async function withProduct<T>(folder: string, work: (product: Product) => Promise<T>): Promise<T> {
  const product = await startProduct(folder);
  try {
    return await Promise.race([work(product), product.lost]);
  } finally {
    await product.stop();
  }
}

/** Signs in, by default as the first administrator. @returns request headers with the session */
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

interface ApiAnswer<T> {
  readonly success: boolean;
  readonly message: string;
  readonly data: T;
}

export type Call = Awaited<ReturnType<typeof adminCaller>>;

export async function createGrade(call: Call): Promise<{ schoolDb: number; gradeId: number }> {
  const { id: schoolDb } = await call<{ id: number }>('POST', '/schools', { name: 'Riverside School' });
  const { id: gradeId } = await call<{ id: number }>('POST', '/grades', { schoolDb, name: 'Grade 1' });
  return { schoolDb, gradeId };
}

/** Signs in and returns a function that calls the internal API. It throws on any failed answer. */
export async function adminCaller(port: number, as = admin) {
  const headers = await signIn(port, as);
  return async <T>(method: string, path: string, body?: object): Promise<T> => {
    const url = `http://127.0.0.1:${port}/api${path}`;
    const answer = await fetch(url, { method, headers, body: body ? JSON.stringify(body) : null });
    const { success, message, data } = (await answer.json()) as ApiAnswer<T>;
    if (!success) throw new Error(`${method} ${path}: ${answer.status} ${message}`);
    return data;
  };
}

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

export async function verifyFolder(
  folder: string,
  settings: Settings = {},
): Promise<{ ok: boolean; output: string }> {
  const child = spawn(process.execPath, [program, 'verify'], {
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
