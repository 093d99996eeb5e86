import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../server/test/eventually.ts';
import { freePort } from '../../server/test/server-process.ts';
import { Daemon, newFolder, readDeployFile, stopAll, writeConfiguration } from './daemon.ts';
import { highRateLimits, Installation, openSchool } from './installation.ts';
import { KeyedWriters } from './keyed-writers.ts';
import { findProgram } from './needed-packages.ts';
import { role, superuserQuery } from './postgres-server.ts';

/**
 * Measures how long writes fail when Patroni changes the primary: `npm run trial:patroni`.
 * It tries a switchover, a dead PostgreSQL and a dead node, with deploy/patroni/patroni.yml.
 */

const password = 'superuser-password';

class Node {
  readonly name: string;
  readonly port: number;
  readonly #api: number;
  readonly #folder = newFolder();
  readonly #configuration: string;
  #patroni: Daemon;

  private constructor(name: string, port: number, api: number, etcd: string) {
    this.name = name;
    this.port = port;
    this.#api = api;
    this.#configuration = `${this.#folder}/patroni.yml`;
    const values = {
      'name: db1': `name: ${name}`,
      'listen: 0.0.0.0:8008': `listen: 127.0.0.1:${api}`,
      'db1:8008': `127.0.0.1:${api}`,
      'etcd1:2379,etcd2:2379,etcd3:2379': etcd,
      'listen: 0.0.0.0:5432': `listen: 127.0.0.1:${port}`,
      'db1:5432': `127.0.0.1:${port}`,
      '/var/lib/postgresql/classledger': `${this.#folder}/data`,
      'max_connections: 200': `max_connections: 200\n        unix_socket_directories: ${this.#folder}`,
    };
    writeConfiguration(this.#configuration, readDeployFile('patroni/patroni.yml', values));
    this.#patroni = this.#run();
  }

  static async start(name: string, etcd: string): Promise<Node> {
    return new Node(name, await freePort(), await freePort(), etcd);
  }

  #run(): Daemon {
    return new Daemon(findProgram('patroni'), [this.#configuration], this.#folder);
  }

  get output(): string {
    return this.#patroni.output;
  }

  async is(what: string): Promise<boolean> {
    return fetch(`http://127.0.0.1:${this.#api}/${what}`).then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  async handOver(to: Node): Promise<void> {
    await fetch(`http://127.0.0.1:${this.#api}/switchover`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('patroni:restapi-password')}` },
      body: JSON.stringify({ leader: this.name, candidate: to.name }),
    });
  }

  async kill(whole: boolean): Promise<void> {
    const sql = "SELECT pg_read_file('postmaster.pid') AS text";
    const [row] = await superuserQuery<{ text: string }>(this.port, sql, password);
    if (whole) this.#patroni.signal('SIGKILL');
    process.kill(Number(row?.text.split('\n', 1)[0]), 'SIGKILL');
  }

  resume(): void {
    if (this.#patroni.hasEnded) this.#patroni = this.#run();
  }
}

async function startEtcd(): Promise<string> {
  const folder = newFolder();
  const [clients, peers] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const listen = [
    '--listen-client-urls',
    `http://${clients}`,
    '--advertise-client-urls',
    `http://${clients}`,
  ];
  const peer = ['--listen-peer-urls', `http://${peers}`, '--initial-advertise-peer-urls', `http://${peers}`];
  const args = ['--data-dir', folder, ...listen, ...peer, '--initial-cluster', `default=http://${peers}`];
  new Daemon(findProgram('etcd'), [...args, '--unsafe-no-fsync'], folder);
  return clients;
}

async function tryPatroni(): Promise<void> {
  const etcd = await startEtcd();
  const nodes = [await Node.start('db1', etcd), await Node.start('db2', etcd)] as const;
  const primaryOf = async () => {
    for (const node of nodes) if (await node.is('primary')) return node;
    return null;
  };
  const other = (node: Node) => (node === nodes[0] ? nodes[1] : nodes[0]);
  const settled = async () => {
    await eventually(
      'there is a primary with a synchronous standby',
      async () => {
        const primary = await primaryOf();
        return primary !== null && (await other(primary).is('sync'));
      },
      120_000,
    );
    return (await primaryOf()) as Node;
  };
  const first = await settled();
  await superuserQuery(first.port, `CREATE ROLE ${role.name} LOGIN PASSWORD '${role.password}'`, password);
  await superuserQuery(first.port, `CREATE DATABASE ${role.name} OWNER ${role.name}`, password);
  const servers = nodes.map(({ port }) => `127.0.0.1:${port}`).join();
  const url = `postgres://${role.name}:${role.password}@${servers}/${role.name}?target_session_attrs=read-write`;
  const installation = await Installation.start({ DATABASE_URL: url, ...highRateLimits });
  const { remote, headers, studentIds } = await openSchool(installation.address, 20);
  const writers = new KeyedWriters({ writers: 4, remote, headers, studentIds, pauseMs: 5 });
  const events: [string, (primary: Node) => Promise<void>][] = [
    ['switchover', (primary) => primary.handOver(other(primary))],
    ['PostgreSQL killed', (primary) => primary.kill(false)],
    ['node killed', (primary) => primary.kill(true)],
  ];
  for (const [what, happens] of [...events, ...events]) {
    const primary = await settled();
    await pause(3_000);
    const began = performance.now();
    const before = writers.failures.length;
    await happens(primary);
    const next = other(primary);
    await eventually('the other one is primary', () => next.is('primary'), 120_000);
    const acknowledged = writers.acknowledged.length;
    await eventually('writes go on', () => writers.acknowledged.length > acknowledged + 50);
    const failures = writers.failures.slice(before);
    const last = Math.max(began, ...failures.map(({ at }) => at));
    const kinds = [...new Set(failures.map(({ what: kind }) => kind))].join(', ');
    const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
    const paused = seconds(writers.longestPauseSince(began));
    console.log(
      `${what}: no write acknowledged for ${paused}, errors for ${seconds(last - began)} (${failures.length}: ${kinds})`,
    );
    primary.resume();
  }
  await writers.stop();
  const stored = await superuserQuery<{ description: string }>(
    (await settled()).port,
    'SELECT description FROM score_record',
    password,
    role.name,
  );
  const distinct = new Set(stored.map(({ description }) => description));
  const lost = writers.acknowledged.filter((key) => !distinct.has(key)).length;
  console.log(
    `${writers.acknowledged.length} acknowledged, ${lost} lost, ${stored.length - distinct.size} doubled`,
  );
  remote.close();
  await installation.stop();
}

try {
  await tryPatroni();
} finally {
  await stopAll();
}
