import { expect, it } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { PrimaryFinder, parseDatabaseServers, type ServerAddress } from './servers.ts';

const two = [
  { host: 'one', port: 5432 },
  { host: 'two', port: 6432 },
];

it.each([
  [
    'postgres://user:p%40ss@one,two:6432/name?target_session_attrs=read-write',
    'postgres://user:p%40ss@one/name',
  ],
  ['postgresql://one:5432,two:6432/name', 'postgresql://one:5432/name'],
  ['postgres://user@/name?host=one,two&port=5432,6432', 'postgres://user@host/name'],
])('a database URL names several servers in the syntax of libpq: %s', (text, first) => {
  const read = parseDatabaseServers(text);
  expect(read?.servers).toEqual(two);
  expect(read?.url.split('?')[0]).toBe(first);
});

it.each([
  ['postgres://[::1]:5433,[fe80::2]/name', '::1:5433 fe80::2:5432'],
  ['postgres:///name?host=/run/a,/run/b&port=5433', '/run/a:5433 /run/b:5433'],
])('a database URL names servers by IPv6 addresses and sockets: %s', (text, expected) => {
  const servers = parseDatabaseServers(text)?.servers.map(({ host, port }) => `${host}:${port}`);
  expect(servers?.join(' ')).toBe(expected);
});

it.each([
  'postgres://user:secret@db.example:5432/classledger',
  'postgres://user@/name?host=/run/postgresql&port=5433',
  'postgres://user:a,b@one/name',
  'postgres://localhost/name',
])('a database URL with a single server stays unchanged: %s', (text) => {
  expect(parseDatabaseServers(text)).toEqual({ url: text, servers: [] });
});

it.each([
  'mysql://one,two/name',
  'postgres://one:port,two/name',
  'postgres://one,,two/name',
  'postgres://one:99999,two/name',
  'postgres://one,two/name?target_session_attrs=read-only',
  'postgres://one/name?host=a,b,c&port=1,2',
])('an invalid database URL of several servers is rejected: %s', (text) => {
  expect(parseDatabaseServers(text)).toBeNull();
});

const [one, two_] = two as [ServerAddress, ServerAddress];

it('the primary is the writable server, and concurrent callers share one search', async () => {
  let questions = 0;
  const primary = new PrimaryFinder(two, async (server) => {
    questions++;
    if (server === one) throw new Error('refused');
    return true;
  });
  expect(await Promise.all([primary.find(), primary.find()])).toEqual([two_, two_]);
  expect(await primary.find()).toBe(two_);
  expect(questions).toBe(2);
});

it('after a doubt about the known primary, the servers are searched until one is writable', async () => {
  let writable: ServerAddress | null = one;
  let questions = 0;
  const primary = new PrimaryFinder(two, async (server) => {
    questions++;
    return server === writable;
  });
  expect(await primary.find()).toBe(one);
  writable = null;
  primary.forget(two_);
  expect(await primary.find(), 'the other one was never believed in').toBe(one);
  primary.forget(one);
  const found = primary.find();
  const before = questions;
  await eventually('both are asked again', () => questions >= before + 4);
  writable = two_;
  expect(await found).toBe(two_);
});

it('the search for a primary ends after the time limit, with the state of each server', async () => {
  const ask = (server: ServerAddress) =>
    server === one ? Promise.resolve(false) : new Promise<boolean>(() => {});
  await expect(new PrimaryFinder(two, ask, 1).find()).rejects.toThrow(
    'no server takes writes (one:5432 is read-only; two:6432 does not answer)',
  );
});

it('a search without a primary fails in one line that states the reason for each server', async () => {
  const ask = async (server: ServerAddress) => {
    if (server === one) throw new Error('connect ECONNREFUSED');
    return false;
  };
  const primary = new PrimaryFinder(two, ask, 0);
  await expect(primary.find()).rejects.toThrow(
    'no server takes writes (one:5432 connect ECONNREFUSED; two:6432 is read-only)',
  );
});
