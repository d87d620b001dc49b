import { expect, it } from 'vitest';
import { inRanges, isPublicAddress } from './guarded-fetch.js';

it.each([
  '1.1.1.1',
  '93.184.216.34',
  '172.15.255.255',
  '172.32.0.1',
  '168.63.129.15',
  '168.63.129.17',
  '2606:4700::1111',
  '2a00:1450:4001::200e',
])('%s is a public address', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '192.0.2.7',
  '198.18.0.1',
  '224.0.0.1',
  '168.63.129.16',
  '161.26.0.10',
  '166.9.1.1',
  '199.36.153.4',
  '199.36.153.11',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  '5f00::1',
  '100:0:0:1::1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:1.1.1.1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001:db8::1',
  '2001::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'ff02::1',
  '127.1',
  '2130706433',
  'localhost',
  '',
])('%s is not a public address', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it('inRanges contains the addresses of its ranges', () => {
  const allowed = inRanges(['127.0.0.1/32', 'fd00::/8', '192.0.2.1']);
  expect(['127.0.0.1', 'fd00::1', '192.0.2.1', '192.0.2.2', '127.0.0.2', '::1', 'localhost'].map(allowed)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
