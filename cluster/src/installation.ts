import { join } from 'node:path';
import { eventually } from '../../server/test/eventually.ts';
import { openRemoteSchool, Remote } from '../../server/test/remote.ts';
import { freePort, ServerProcess } from '../../server/test/server-process.ts';
import { Daemon, newFolder, readDeployFile, writeConfiguration } from './daemon.ts';
import { findProgram } from './needed-packages.ts';
import { role } from './postgres-server.ts';

export const admin = { username: 'admin', password: 'correct horse battery' };
const count = 3;

export const highRateLimits = {
  RATE_LIMIT_TOTAL_PER_MINUTE: '1000000',
  RATE_LIMIT_WRITE_PER_MINUTE: '1000000',
};

/** Three processes of Classledger behind HAProxy, configured by deploy/haproxy/haproxy.cfg. */
export class Installation {
  readonly #settings: Record<string, string>;
  readonly #ports: readonly number[];
  readonly #folder = newFolder();
  readonly #processes: ServerProcess[] = [];
  #balancer: Daemon | null = null;
  #statistics = '';
  readonly address: string;

  private constructor(settings: Record<string, string>, ports: readonly number[], port: number) {
    this.#settings = settings;
    this.#ports = ports;
    this.address = `http://127.0.0.1:${port}`;
  }

  static async start(settings: Record<string, string>): Promise<Installation> {
    const ports: number[] = [];
    for (let i = 0; i <= count; i++) ports.push(await freePort());
    const port = ports.pop() as number;
    const installation = new Installation(settings, ports, port);
    const { length } = ports;
    await Promise.all(Array.from({ length }, (_, index) => installation.startProcess(index)));
    await installation.#balance(port);
    return installation;
  }

  addressOf(index: number): string {
    return `http://127.0.0.1:${this.#ports[index]}`;
  }

  async startProcess(index: number): Promise<void> {
    const settings = {
      TRUST_PROXY: 'true',
      DRAIN_SECONDS: '5',
      SECRET_KEY: 'the secret of the installation under test',
      DATA_DIR: join(this.#folder, 'data'),
      ADMIN_PASSWORD: admin.password,
      LOG_LEVEL: 'warn',
      ...this.#settings,
      PORT: String(this.#ports[index]),
    };
    this.#processes[index] = await ServerProcess.startServing(settings, this.#folder);
  }

  async stopProcess(index: number): Promise<void> {
    const { code } = (await this.#processes[index]?.stop()) ?? {};
    if (code !== 0) throw new Error(`A process ended with ${code}: ${this.#processes[index]?.stderr}`);
  }

  get complaints(): string[] {
    return this.#processes.flatMap((each) => each.errorLines);
  }

  async #balance(port: number): Promise<void> {
    const values = Object.fromEntries(
      this.#ports.map((own, index) => [`classledger-${index + 1}:3000`, `127.0.0.1:${own}`]),
    );
    const file = join(this.#folder, 'haproxy.cfg');
    const statistics = `127.0.0.1:${await freePort()}`;
    this.#statistics = `http://${statistics}/;csv`;
    const binds = { 'bind :80': `bind 127.0.0.1:${port}`, '127.0.0.1:8404': statistics };
    writeConfiguration(file, readDeployFile('haproxy/haproxy.cfg', { ...values, ...binds }));
    this.#balancer = new Daemon(findProgram('haproxy'), ['-db', '-f', file], this.#folder);
    await eventually('HAProxy answers', () => this.#isReady(), 20_000);
  }

  async #isReady(): Promise<boolean> {
    if (this.#balancer?.hasEnded) throw new Error(`HAProxy did not start: ${this.#balancer.output}`);
    return fetch(`${this.address}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  /** Counts the processes that HAProxy uses. */
  async ready(): Promise<number> {
    const text = await (await fetch(this.#statistics)).text();
    return text.split('\n').filter((line) => /^ready,(?!BACKEND).*,UP,/.test(line)).length;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#processes.map((each) => (each.hasEnded ? undefined : each.kill())));
    await this.#balancer?.stop();
  }
}

/** Starts PgBouncer with deploy/pgbouncer/pgbouncer.ini. @returns the database's URL in each pooling mode */
export async function startPooler(serverPort: number): Promise<{ transaction: string; session: string }> {
  const folder = newFolder();
  const port = await freePort();
  const users = join(folder, 'userlist.txt');
  writeConfiguration(users, readDeployFile('pgbouncer/userlist.txt', {}));
  const file = join(folder, 'pgbouncer.ini');
  const values = {
    'host=db1 port=5432': `host=127.0.0.1 port=${serverPort}`,
    'listen_addr = *': 'listen_addr = 127.0.0.1',
    'listen_port = 6432': `listen_port = ${port}`,
    '/etc/pgbouncer/userlist.txt': users,
  };
  writeConfiguration(file, readDeployFile('pgbouncer/pgbouncer.ini', values));
  new Daemon(findProgram('pgbouncer'), [file], folder);
  const at = (name: string) => `postgres://${role.name}:${role.password}@127.0.0.1:${port}/${name}`;
  return { transaction: at('classledger'), session: at('classledger_session') };
}

/** Opens a school with some students and a credential for all of it. */
export async function openSchool(address: string, students: number) {
  const remote = new Remote(address);
  return { remote, ...(await openRemoteSchool(remote, admin, students)) };
}
