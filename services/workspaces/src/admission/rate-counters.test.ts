import { expect, it } from 'vitest';
import { networkOf } from './rate-counters.js';

it('an IPv6 address counts as its /64, in any spelling', () => {
  const network = networkOf('2001:db8:1:2::1');
  for (const other of ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:0DB8:0001:0002:0:0:0:9', '2001:db8:1:2::192.0.2.1']) {
    expect(networkOf(other)).toBe(network);
  }
  for (const other of ['2001:db8:1:3::1', '2001:db8::1', '::1']) expect(networkOf(other)).not.toBe(network);
});

it('an IPv4 address counts as itself, even through an IPv6 socket', () => {
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf('::ffff:c000:201')).toBe('192.0.2.1');
});

it('a zone is ignored, and a text that is not an address counts as it is', () => {
  expect(networkOf('fe80::1%eth0')).toBe(networkOf('fe80::2%eth1'));
  expect(networkOf('unknown')).toBe('unknown');
});
