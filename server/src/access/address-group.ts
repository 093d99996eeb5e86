import { isIPv6 } from 'node:net';

/** Returns the key under which throttles count an address: for IPv6 its /64 network (docs/contract.md, Throttles). */
export function addressGroup(ip: string): string {
  const address = ip.split('%', 1)[0] as string;
  if (!isIPv6(address)) return ip;
  const parts = ipv6Groups(address);
  const [high, low] = parts.slice(6) as [number, number];
  if (parts.slice(0, 5).every((part) => part === 0) && parts[5] === 0xffff) {
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  }
  const network = parts.slice(0, 4);
  while (network.at(-1) === 0) network.pop();
  return `${network.map((part) => part.toString(16)).join(':')}::/64`;
}

function ipv6Groups(address: string): number[] {
  const hexadecimal = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a, b, c, d] = bytes.map(Number) as [number, number, number, number];
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [front, back] = hexadecimal.split('::').map((side) => (side === '' ? [] : side.split(':')));
  const given = [...(front ?? []), ...(back ?? [])];
  const zeros = Array<string>(8 - given.length).fill('0');
  return [...(front ?? []), ...zeros, ...(back ?? [])].map((part) => Number.parseInt(part, 16));
}
