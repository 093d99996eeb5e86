import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { eventually } from '../../server/test/eventually.ts';
import { freePort } from '../../server/test/server-process.ts';
import { withClient } from '../../server/test/with-client.ts';
import { Daemon, newFolder, runProgram, writeConfiguration } from './daemon.ts';
import { findPostgresProgram } from './needed-packages.ts';

const superuser = 'postgres';
/** From deploy/pgbouncer/userlist.txt. */
export const role = { name: 'classledger', password: 'password' };

/** Runs a statement as the superuser of a server. */
export async function superuserQuery<Row extends pg.QueryResultRow>(
  port: number,
  text: string,
  password?: string,
  database = superuser,
): Promise<Row[]> {
  const target = { host: '127.0.0.1', port, user: superuser, password, database };
  return withClient(target, async (client) => (await client.query<Row>(text)).rows);
}

export class PostgresServer {
  readonly name: string;
  readonly port: number;
  readonly #folder: string;
  #settings: Record<string, string>;
  #daemon: Daemon | null = null;

  private constructor(name: string, port: number, settings: Record<string, string>) {
    this.name = name;
    this.port = port;
    this.#folder = newFolder();
    this.#settings = settings;
  }

  static async start(name: string, settings: Record<string, string> = {}): Promise<PostgresServer> {
    const server = await PostgresServer.#prepare(name, settings);
    const options = ['--auth=trust', `--username=${superuser}`, '--encoding=UTF8', '--locale=C.UTF-8'];
    const locale = ['--locale-provider=icu', '--icu-locale=und', '--no-sync', '--data-checksums'];
    await runProgram(
      findPostgresProgram('initdb'),
      ['-D', server.#data, ...options, ...locale],
      server.#folder,
    );
    await server.resume();
    await server.query(`CREATE ROLE ${role.name} LOGIN PASSWORD '${role.password}'`);
    await server.query(`CREATE DATABASE ${role.name} OWNER ${role.name}`);
    return server;
  }

  static async follow(name: string, primary: PostgresServer): Promise<PostgresServer> {
    const server = await PostgresServer.#prepare(name, primary.#settings);
    const source = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', superuser];
    await runProgram(
      findPostgresProgram('pg_basebackup'),
      [...source, '-D', server.#data, '-c', 'fast', '--no-sync'],
      server.#folder,
    );
    await server.#startFollowing(primary);
    return server;
  }

  static async #prepare(name: string, settings: Record<string, string>): Promise<PostgresServer> {
    return new PostgresServer(name, await freePort(), settings);
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  get #configuration(): string {
    return join(this.#folder, 'postgresql.conf');
  }

  get url(): string {
    return `postgres://${role.name}:${role.password}@127.0.0.1:${this.port}/${role.name}`;
  }

  async resume(): Promise<void> {
    const settings: Record<string, string> = {
      port: String(this.port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      cluster_name: this.name,
      max_connections: '200',
      shared_buffers: '64MB',
      // Keeps enough WAL for a killed server that rejoins at the end of a failover round.
      wal_keep_size: '512MB',
      log_min_messages: 'warning',
      ...this.#settings,
    };
    const lines = Object.entries(settings).map(([key, value]) => `${key} = '${value.replaceAll("'", "''")}'`);
    writeConfiguration(this.#configuration, `${lines.join('\n')}\n`);
    this.#daemon = new Daemon(
      findPostgresProgram('postgres'),
      [
        '-D',
        this.#data,
        '-c',
        `config_file=${this.#configuration}`,
        '-c',
        `hba_file=${join(this.#data, 'pg_hba.conf')}`,
      ],
      this.#folder,
    );
    await eventually(`${this.name} answers`, () => this.#answers());
  }

  async #answers(): Promise<boolean> {
    if (this.#daemon?.hasEnded) throw new Error(`${this.name} did not start: ${this.#daemon.output}`);
    return this.query('SELECT 1').then(
      () => true,
      () => false,
    );
  }

  async query<Row extends pg.QueryResultRow>(text: string, database = superuser): Promise<Row[]> {
    return superuserQuery<Row>(this.port, text, undefined, database);
  }

  async set(name: string, value: string): Promise<void> {
    this.#settings = { ...this.#settings, [name]: value };
    const lines = readFileSync(this.#configuration, 'utf8').split('\n');
    const others = lines.filter((line) => !line.startsWith(`${name} =`));
    writeConfiguration(this.#configuration, [...others, `${name} = '${value}'`, ''].join('\n'));
    this.#daemon?.signal('SIGHUP');
    const shown = `SHOW ${name}`;
    await eventually(`${this.name} has ${name}`, async () => (await this.query(shown))[0]?.[name] === value);
  }

  /** Kills the server and waits until its child processes have ended. */
  async kill(): Promise<void> {
    const daemon = this.#daemon as Daemon;
    const { children } = daemon;
    const exit = once(daemon.child, 'exit');
    daemon.signal('SIGKILL');
    await exit;
    const deadline = performance.now() + 1_000;
    for (const child of children) {
      while (existsSync(`/proc/${child}`) && performance.now() < deadline) await pause(5);
      if (!existsSync(`/proc/${child}`)) continue;
      try {
        process.kill(child, 'SIGKILL');
      } catch {
        // The process has ended meanwhile.
      }
    }
    rmSync(join(this.#data, 'postmaster.pid'), { force: true });
  }

  /** Makes a standby the primary. Commits then wait for no standby. */
  async promote(): Promise<void> {
    await this.set('synchronous_standby_names', '');
    await this.query('SELECT pg_promote()');
  }

  /** Makes each commit wait until the standby has written it to disk. */
  async waitFor(standby: PostgresServer): Promise<void> {
    await this.set('synchronous_standby_names', standby.name);
    const state = 'SELECT sync_state FROM pg_stat_replication';
    await eventually(
      'the standby is synchronous',
      async () => (await this.query(state))[0]?.sync_state === 'sync',
    );
  }

  async rejoin(primary: PostgresServer): Promise<void> {
    // Without a checkpoint pg_rewind misses the new primary's timeline.
    await primary.query('CHECKPOINT');
    const source = `host=127.0.0.1 port=${primary.port} user=${superuser} dbname=postgres`;
    const target = ['-D', this.#data, `--config-file=${this.#configuration}`, '--no-sync'];
    await runProgram(
      findPostgresProgram('pg_rewind'),
      [...target, `--source-server=${source}`],
      this.#folder,
    );
    await this.#startFollowing(primary);
  }

  async #startFollowing(primary: PostgresServer): Promise<void> {
    writeConfiguration(join(this.#data, 'standby.signal'), '');
    this.#settings = {
      ...this.#settings,
      primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${superuser} application_name=${this.name}`,
    };
    await this.resume();
  }
}
