import { expect, it } from 'vitest';
import { addressGroup } from './address-group.ts';

it.each([
  // An IPv4 address itself, however it is written.
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
  // The /64 network of an IPv6 address.
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::ffff:192.0.2.7', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8::/64'],
  ['2001:db8:0:5::1', '2001:db8:0:5::/64'],
  ['2001:db8::5:0:0:0:1', '2001:db8:0:5::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
  ['::', '::/64'],
  // Text that is no address.
  ['', ''],
  ['unknown', 'unknown'],
  ['192.0.2.7:443', '192.0.2.7:443'],
  ['2001:db8', '2001:db8'],
])('an address is limited by itself or by its IPv6 /64 network: %j by %j', (ip, group) => {
  expect(addressGroup(ip)).toBe(group);
});
