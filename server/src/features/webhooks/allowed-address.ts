import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { invalidValue } from '../../app-error.ts';

/** All addresses of a host. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** A host whose addresses are none that the server calls. */
export class RefusedAddress extends Error {}

/** What an operator may open: networks of the house. Link-local ones, where clouds keep secrets, stay closed. */
const ofTheHouse: readonly string[] = ['private', 'loopback', 'uniqueLocal', 'carrierGradeNat'];
/** Where clouds answer with secrets or steer machines, at addresses that look like those of the house or public ones. */
const ofClouds: ReadonlySet<string> = new Set(
  ['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '168.63.129.16'].map((address) =>
    ipaddr.parse(address).toNormalizedString(),
  ),
);
/** Where addresses of the public internet are, of IPv6. */
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/** Public: anybody may be called there. House: those alone whom the operator lets. Null: nobody is called there. */
function placeOf(address: string): 'public' | 'house' | null {
  const parsed = ipaddr.process(address);
  if (ofClouds.has(parsed.toNormalizedString())) return null;
  const range: string = parsed.range();
  if (ofTheHouse.includes(range)) return 'house';
  if (range !== 'unicast') return null;
  return parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicast) ? null : 'public';
}

/** Without encryption nothing leaves the house. */
function mayCall(address: string, protocol: string, allowPrivate: boolean): boolean {
  const place = placeOf(address);
  return place === 'house' ? allowPrivate : place === 'public' && protocol === 'https:';
}

const literal = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1');

/**
 * Checks whether the server may send anything to an address at all (docs/security.md, Webhooks). Where its name leads is
 * decided when it is called.
 *
 * @returns the address as the server reads it, which may differ from what was typed
 * @throws AppError invalid_value
 */
export function checkAddress(text: string, allowPrivate: boolean): string {
  // The URL parser drops line breaks and tabs: a reader would take the address for another one.
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
  const host = literal(url.hostname);
  if (isIP(host) !== 0 && !mayCall(host, url.protocol, allowPrivate)) throw refused();
  return url.href;
}

const refused = () => invalidValue('url leads to an address that this server does not call');

/**
 * Looks hosts up for connections, and hands over only addresses that may be called: what is checked is what is
 * connected to, whatever the name says the next time.
 */
export function guardedLookup(resolve: Resolve, protocol: string, allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    const find = async () => {
      const found = await resolve(hostname);
      const allowed = found.filter(({ address }) => mayCall(address, protocol, allowPrivate));
      if (allowed.length === 0) throw new RefusedAddress(hostname);
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

/** A host that is an address needs no looking up, and is checked before each connection. @throws RefusedAddress */
export function checkLiteral({ hostname, protocol }: URL, allowPrivate: boolean): void {
  const host = literal(hostname);
  if (isIP(host) !== 0 && !mayCall(host, protocol, allowPrivate)) throw new RefusedAddress(host);
}
