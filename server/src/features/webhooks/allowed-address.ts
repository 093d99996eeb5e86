import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP, type LookupFunction } from 'node:net';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { invalidValue } from '../../errors/app-error.ts';

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

export class RefusedAddressError extends Error {}

/** Ranges that an operator can allow. Link-local ranges are never allowed, because clouds serve secrets there. */
const privateRanges: readonly string[] = ['private', 'loopback', 'uniqueLocal', 'carrierGradeNat'];
/** Addresses of cloud metadata and control services, inside ranges that look private or public. */
const cloudAddresses: ReadonlySet<string> = new Set(
  ['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '168.63.129.16'].map((address) =>
    ipaddr.parse(address).toNormalizedString(),
  ),
);
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/** Returns `public` when https is always allowed, `private` when the operator must allow it, otherwise null. */
function classifyAddress(address: string): 'public' | 'private' | null {
  const parsed = ipaddr.process(address);
  if (cloudAddresses.has(parsed.toNormalizedString())) return null;
  const range: string = parsed.range();
  if (privateRanges.includes(range)) return 'private';
  if (range !== 'unicast') return null;
  return parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicast) ? null : 'public';
}

/** Requires https for public addresses. */
function isAllowedAddress(address: string, protocol: string, allowPrivate: boolean): boolean {
  const range = classifyAddress(address);
  return range === 'private' ? allowPrivate : range === 'public' && protocol === 'https:';
}

const withoutBrackets = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1');

/** Normalises a URL (docs/security.md, Webhooks). Connections check host names. @throws AppError invalid_value */
export function checkAddress(text: string, allowPrivate: boolean): string {
  // The URL parser drops line breaks and tabs, so a reader could mistake the URL for another.
  if (/\p{Cc}/u.test(text)) throw invalidValue('url must not hold control characters');
  if (!URL.canParse(text)) throw invalidValue('url must be an address such as https://example.org/changes');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    throw invalidValue('url must begin with https://');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidValue('url must not hold a user name or a password');
  }
  if (url.hash !== '') throw invalidValue('url must not hold a fragment');
  const host = withoutBrackets(url.hostname);
  if (isIP(host) !== 0 && !isAllowedAddress(host, url.protocol, allowPrivate)) throw addressRefused();
  return url.href;
}

const addressRefused = () => invalidValue('url leads to an address that this server does not call');

/** Returns a lookup of allowed addresses only. Connections use these, so a second DNS answer cannot redirect them. */
export function guardedLookup(resolve: Resolve, protocol: string, allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    const find = async () => {
      const found = await resolve(hostname);
      const allowed = found.filter(({ address }) => isAllowedAddress(address, protocol, allowPrivate));
      if (allowed.length === 0) throw new RefusedAddressError(hostname);
      return allowed;
    };
    find().then(
      (found) => {
        const [first] = found;
        if (options.all) callback(null, [...found]);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}

/** Checks a host that is an IP address, because connections to it need no lookup. @throws RefusedAddressError */
export function checkIpAddress({ hostname, protocol }: URL, allowPrivate: boolean): void {
  const host = withoutBrackets(hostname);
  if (isIP(host) !== 0 && !isAllowedAddress(host, protocol, allowPrivate))
    throw new RefusedAddressError(host);
}

const queryTimeoutMs = 2_000;
const queryTries = 2;

const hostsFile =
  process.platform === 'win32'
    ? join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts')
    : '/etc/hosts';

export class UnknownHostError extends Error {}

/** Avoids `dns.lookup`, because names without an answer would block its few shared threads. @throws UnknownHostError */
export async function lookUpHost(
  host: string,
  { servers, timeoutMs = 5_000 }: { readonly servers?: readonly string[]; readonly timeoutMs?: number } = {},
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
