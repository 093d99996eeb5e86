import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';

const queryTimeoutMs = 2_000;
const queryTries = 2;

const hostsFile =
  process.platform === 'win32'
    ? join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts')
    : '/etc/hosts';

export class UnknownHostError extends Error {}

interface LookUpOptions {
  readonly servers?: readonly string[];
  readonly timeoutMs?: number;
}

/** Avoids `dns.lookup`, because names without an answer would block its few shared threads. @throws UnknownHostError */
export async function lookUpHost(
  host: string,
  { servers, timeoutMs = 5_000 }: LookUpOptions = {},
): Promise<LookupAddress[]> {
  const written = await findInHostsFile(host);
  if (written.length > 0) return written;
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries: queryTries });
  if (servers) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), timeoutMs);
  try {
    const found = await Promise.all([
      resolver.resolve4(host).then(withFamily(4), none),
      resolver.resolve6(host).then(withFamily(6), none),
    ]);
    const addresses = found.flat();
    if (addresses.length === 0) throw new UnknownHostError(host);
    return addresses;
  } finally {
    clearTimeout(timer);
  }
}

const none = (): LookupAddress[] => [];
const withFamily =
  (family: 4 | 6) =>
  (addresses: readonly string[]): LookupAddress[] =>
    addresses.map((address) => ({ address, family }));

async function findInHostsFile(host: string): Promise<LookupAddress[]> {
  const text = await readFile(hostsFile, 'utf8').catch(() => '');
  const wanted = host.toLowerCase();
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    return family !== 0 && names.some((name) => name.toLowerCase() === wanted) ? [{ address, family }] : [];
  });
}
