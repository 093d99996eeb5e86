import { expect, it } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { PrimaryFinder, parseDatabaseServers, type ServerAddress } from './servers.ts';

const two = [
  { host: 'one', port: 5432 },
  { host: 'two', port: 6432 },
];

it.each([
  [
    'postgres://me:p%40ss@one,two:6432/x?target_session_attrs=read-write',
    'one:5432 two:6432',
    'postgres://me:p%40ss@one/x',
  ],
  ['postgresql://one:5432,two:6432/x', 'one:5432 two:6432', 'postgresql://one:5432/x'],
  ['postgres://me@/x?host=one,two&port=5432,6432', 'one:5432 two:6432', 'postgres://me@host/x'],
  ['postgres://[::1]:5433,[fe80::2]/x', '::1:5433 fe80::2:5432', 'postgres://[::1]:5433/x'],
  ['postgres:///x?host=/run/a,/run/b&port=5433', '/run/a:5433 /run/b:5433', 'postgres:///x'],
])('a database URL names several servers in the syntax of libpq: %s', (text, servers, first) => {
  const read = parseDatabaseServers(text);
  const addresses = [...servers.matchAll(/(\S+):(\d+)/g)];
  expect(read?.servers).toEqual(addresses.map(([, host, port]) => ({ host, port: Number(port) })));
  expect(read?.url.split('?')[0]).toBe(first);
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
const three = { host: 'three', port: 5432 };

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

it('a search without a primary ends after its time limit, with the state of each server', async () => {
  const answers = new Map<ServerAddress, () => Promise<boolean>>([
    [one, () => Promise.resolve(false)],
    [two_, () => Promise.reject(new Error('connect ECONNREFUSED'))],
    [three, () => new Promise(() => {})],
  ]);
  const ask = (server: ServerAddress) => answers.get(server)?.() ?? Promise.resolve(true);
  await expect(new PrimaryFinder([...answers.keys()], ask, 1).find()).rejects.toThrow(
    'no server takes writes (one:5432 is read-only; two:6432 connect ECONNREFUSED; three:5432 does not answer)',
  );
});
