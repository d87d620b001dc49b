import { BlockList, isIP } from 'node:net';

/** The special-purpose address registries of IANA (RFC 6890 and its updates): nobody's public server is there. */
const IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];

/**
 * Public by their number, and answered inside of a cloud only, by services that trust whoever can reach them. What else
 * tells a machine about itself is link-local, private or shared, and so among the above: 169.254.169.254 of most clouds,
 * 100.100.100.200 of Alibaba, 192.0.0.192 of Oracle, fd00:ec2::254 of AWS.
 */
const INSIDE_CLOUDS = [
  // Azure: the host of the machine.
  '168.63.129.16/32',
  // IBM: name servers, mirrors and private service endpoints.
  '161.26.0.0/16',
  '166.8.0.0/14',
  // Google: its APIs as its private networks reach them.
  '199.36.153.4/30',
  '199.36.153.8/30',
];

/** Parts of 2000::/3, outside of which nothing is public: documentation, benchmarks, and tunnels that hide an IPv4 address. */
const IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const special = blockList([...IPV4, ...INSIDE_CLOUDS, ...IPV6]);
const global6 = blockList(['2000::/3']);

export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4');
    case 6:
      return global6.check(address, 'ipv6') && !special.check(address, 'ipv6');
    default:
      return false;
  }
}

/** Whether an address lies in one of the given ranges, such as `127.0.0.1/32`. */
export function inRanges(ranges: readonly string[]): (address: string) => boolean {
  const list = blockList(ranges);
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), isIP(network) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
