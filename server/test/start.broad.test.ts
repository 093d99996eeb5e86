import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { DatabaseProxy } from './database-proxy.ts';
import { freePort } from './free-port.ts';
import { createDatabase, databaseUrl } from './own-database.ts';
import { processes } from './processes.ts';
import { newFolder, removeFolder } from './server-process.ts';

const { run, serving: start } = processes();
const database = await createDatabase('migrated');
const serving = (settings: Record<string, string>) =>
  start({ DATABASE_URL: databaseUrl(database), ...settings });

/** The one line with which a process gave up. */
async function refusal(settings: Record<string, string>): Promise<string> {
  const server = run(settings);
  expect(await server.ended).toEqual({ code: 1, signal: null });
  expect(server.stdout).toBe('');
  expect(server.errorLines).toHaveLength(1);
  return server.errorLines[0] as string;
}

describe('a bad setting stops the start with one line that names it', () => {
  const secret = 'hunter2';
  // config.test.ts tells what each setting takes.
  const bad: [string, string, RegExp][] = [
    ['PORT', 'eighty', /0 to 65535/],
    ['DATABASE_URL', `mysql://root:${secret}@localhost/classledger`, /postgres:\/\//],
    ['DATA_DIR', '/dev/null/data', /data folder/],
    ['DATA_DIR', '/proc/nowhere', /data folder .* no folder can be made there; choose/],
    ['ADMIN_PASSWORD', secret.slice(0, 5), /6 to 128 characters/],
    ['LOG_LEVEL', 'loud\nand clear', /fatal, error, warn, info/],
  ];

  it.each(bad)('%s=%j', async (name, value, takes) => {
    const line = await refusal({ [name]: value });
    expect(line).toContain(name);
    expect(line).toMatch(takes);
    expect(line).not.toContain(secret);
    if (name === 'ADMIN_PASSWORD') expect(line).not.toContain(value);
  });

  it('DATA_DIR where the secret of the installation cannot be kept', async () => {
    const line = await refusal({ DATABASE_URL: databaseUrl(database), DATA_DIR: '/dev/null/data' });
    expect(line).toMatch(/secret .* \(ENOTDIR.*\): set SECRET_KEY, or let DATA_DIR be a folder/);
  });

  it('HOST without an address here', async () => {
    for (const host of ['no-such-host.invalid', '192.0.2.1']) {
      expect(await refusal({ DATABASE_URL: databaseUrl(database), HOST: host })).toContain(host);
    }
  });

  it('a .env that cannot be read', async () => {
    const own = newFolder();
    mkdirSync(join(own, '.env'));
    const server = run({}, undefined, own);
    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(server.errorLines).toEqual([expect.stringMatching(/\.env cannot be read: /)]);
    await removeFolder(own);
  });

  it('also when it comes from the .env file', async () => {
    const own = newFolder();
    writeFileSync(join(own, '.env'), 'LOG_LEVEL=loud\n');
    const server = run({}, undefined, own);
    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(server.errorLines).toEqual([expect.stringContaining('LOG_LEVEL')]);
    await removeFolder(own);
  });
});

describe('the start-up line', () => {
  it('tells where requests are served, once they are, and is the only line when there is an administrator', async () => {
    const first = await serving({ ADMIN_PASSWORD: 'correct horse battery', LOG_LEVEL: 'fatal' });
    await first.stop();
    const server = await serving({});
    expect(await fetch(`${server.address}/healthz`).then((answer) => answer.status)).toBe(200);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(server.stdout).toMatch(/^Classledger is ready at http:\/\/127\.0\.0\.1:[1-9]\d*\n$/);
    // The log goes elsewhere.
    const lines = server.errorLines.map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      {
        level: 30,
        event: 'started',
        address: server.address,
        database: 'DATABASE_URL',
        version: expect.stringMatching(/^\d/),
      },
      { level: 30, event: 'stopping', reason: 'SIGTERM' },
      { level: 30, event: 'stopped', ms: expect.any(Number) },
    ]);
  });

  it('names the port that was asked for, and PORT=0 a free one for each process', async () => {
    const [one, other] = [await serving({}), await serving({})];
    expect(one.address).not.toBe(other.address);
    const port = await freePort();
    const named = await serving({ PORT: String(port) });
    expect(named.address).toBe(`http://127.0.0.1:${port}`);
  });

  it('does not appear when the port is taken: one line says so', async () => {
    const server = await serving({});
    const { port } = new URL(server.address as string);
    const line = await refusal({ DATABASE_URL: databaseUrl(database), PORT: port });
    expect(line).toMatch(new RegExp(`address already in use.*${port}`));
    expect(await fetch(`${server.address}/healthz`).then((answer) => answer.status)).toBe(200);
  });
});

describe('a database that cannot be used', () => {
  const secret = 'hunter2';
  let listener: Server | undefined;

  afterEach(async () => {
    const closing = listener;
    listener = undefined;
    if (closing) await new Promise((resolve) => closing.close(resolve));
  });

  /** Speaks just enough of PostgreSQL's protocol to let a client in, or to refuse it, and to tell its version. */
  async function strangeServer(
    kind: 'old' | 'wrong password' | 'no TLS' | 'no database at all',
  ): Promise<number> {
    const message = (type: string, body: Buffer) => {
      const length = Buffer.alloc(4);
      length.writeInt32BE(body.length + 4);
      return Buffer.concat([Buffer.from(type), length, body]);
    };
    const ready = message('Z', Buffer.from('I'));
    const version = Buffer.from('140005');
    const row = Buffer.concat([Buffer.from([0, 1, 0, 0, 0, version.length]), version]);
    const description = Buffer.concat([
      Buffer.from([0, 1]),
      Buffer.from('version\0'),
      Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 23, 0, 4, 255, 255, 255, 255, 0, 0]),
    ]);
    const refused = Buffer.from('SFATAL\0C28P01\0Mpassword authentication failed for user "clerk"\0\0');
    listener = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        if (kind === 'no database at all') return socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
        if (kind === 'no TLS') return socket.end('N');
        if (kind === 'wrong password') return socket.end(message('E', refused));
        socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]));
        const answer = [
          message('T', description),
          message('D', row),
          message('C', Buffer.from('SELECT 1\0')),
        ];
        let unread = Buffer.alloc(0);
        // Several queries may come at once, and one in pieces.
        socket.on('data', (bytes: Buffer) => {
          unread = Buffer.concat([unread, bytes]);
          while (unread.length > 4 && unread.length > unread.readInt32BE(1)) {
            if (unread[0] === 'Q'.charCodeAt(0)) socket.write(Buffer.concat([...answer, ready]));
            unread = unread.subarray(1 + unread.readInt32BE(1));
          }
        });
      });
    });
    await new Promise<void>((resolve) => listener?.listen(0, '127.0.0.1', resolve));
    return (listener.address() as { port: number }).port;
  }

  const url = (where: string) => `postgres://clerk:${secret}@${where}`;
  const unusable: [string, () => Promise<string> | string, RegExp][] = [
    [
      'that is too old',
      async () => url(`127.0.0.1:${await strangeServer('old')}/x`),
      /PostgreSQL 15 or newer/,
    ],
    [
      'that refuses the password',
      async () => url(`127.0.0.1:${await strangeServer('wrong password')}/x`),
      /cannot be reached: .*authentication failed/,
    ],
    [
      'that is none',
      async () => url(`127.0.0.1:${await strangeServer('no database at all')}/x`),
      /cannot be reached: ./,
    ],
    [
      'that has no TLS',
      async () => url(`127.0.0.1:${await strangeServer('no TLS')}/x?sslmode=verify-full`),
      /cannot be reached: .*not support SSL/,
    ],
    ['where nobody listens', () => url('127.0.0.1:1/x'), /cannot be reached: .*ECONNREFUSED/],
    ['where nobody listens at either address', () => url('localhost:1/x'), /cannot be reached: .+/],
    ['whose host has no address', () => url('no-such-host.invalid/x'), /cannot be reached: .+/],
    ['whose URL is none', () => url('localhost:port/x'), /cannot be reached: .+|DATABASE_URL/],
    [
      'that goes away while it is looked at',
      async () => {
        const proxy = await DatabaseProxy.start(inject('postgres'));
        onTestFinished(() => proxy.close());
        proxy.cutAt('ILIKE');
        return databaseUrl(database, proxy.address);
      },
      /cannot be reached: .*terminated/,
    ],
    ['that is not there', () => databaseUrl('no_such_database'), /cannot be reached: .*does not exist/],
  ];

  it.each(unusable)('%s is reported in one line without its password', async (_, where, says) => {
    const line = await refusal({ DATABASE_URL: await where() });
    expect(line).toMatch(says);
    expect(line).not.toContain(secret);
  });
});

describe('what a library warns of', () => {
  it('is one line', async () => {
    const server = run({ DATABASE_URL: 'postgres://clerk@127.0.0.1:1/x?sslmode=require' });
    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(server.errorLines).toEqual([
      expect.stringMatching(/^Warning: .*'sslmode=verify-full'/),
      expect.stringMatching(/ECONNREFUSED/),
    ]);
  });
});

describe('the command line', () => {
  it('explains itself, and refuses a command that it does not know', async () => {
    const help = run({}, 'help');
    expect(await help.ended).toEqual({ code: 0, signal: null });
    expect(help.stdout).toMatch(/serve[\s\S]+migrate[\s\S]+verify/);
    const unknown = run({}, 'explode');
    expect(await unknown.ended).toEqual({ code: 2, signal: null });
    expect(unknown.stderr).toMatch(/Unknown command "explode"/);
  });

  it('proves a ledger: exit code 0 and one line', async () => {
    const proof = run({ DATABASE_URL: databaseUrl(database) }, 'verify');
    expect(await proof.ended).toEqual({ code: 0, signal: null });
    expect(proof.stdout).toBe('0 students and 0 live records: all totals follow from the ledger\n');
  });

  it('gives an administrator a new password, printed once', async () => {
    const reset = async (command: string) => {
      const done = run({ DATABASE_URL: databaseUrl(database) }, command);
      const { code } = await done.ended;
      return { code, stdout: done.stdout, stderr: done.stderr };
    };
    expect(await reset('reset-admin nobody')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The administrator "nobody" was not found\n',
    });
    expect(await reset('reset-admin')).toMatchObject({ code: 2, stdout: '' });
    expect(await reset('reset-admin admin')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^New password of admin: [0-9A-Za-z]{16}\n$/),
    });
  });
});
