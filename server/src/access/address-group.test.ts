import { describe, expect, it } from 'vitest';
import { addressGroup } from './address-group.ts';

describe('addressGroup', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
  ])('returns an IPv4 address itself, however it is written: %s', (ip, group) => {
    expect(addressGroup(ip)).toBe(group);
  });

  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::ffff:192.0.2.7', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8::/64'],
    ['2001:db8:0:5::1', '2001:db8:0:5::/64'],
    ['2001:db8::5:0:0:0:1', '2001:db8:0:5::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
    ['::', '::/64'],
  ])('returns the /64 network of an IPv6 address: %s', (ip, group) => {
    expect(addressGroup(ip)).toBe(group);
  });

  const others = ['', 'unknown', '192.0.2.7:443', '2001:db8'];
  it.each(others)('returns text that is no address unchanged: %j', (text) => {
    expect(addressGroup(text)).toBe(text);
  });
});
