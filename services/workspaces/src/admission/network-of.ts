import ipaddr from 'ipaddr.js';

/** As many bits of an IPv6 address as one network has, whose host may take any of 2^64 addresses (RFC 4291 §2.5.4). */
const NETWORK_BITS = 64;

/**
 * What an address is counted as, wherever there is a limit for addresses: itself, or the /64 network of IPv6. An IPv4
 * address that came by an IPv6 socket is the IPv4 address. What is none is counted as it is.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const bytes = parsed.toByteArray().slice(0, NETWORK_BITS / 8);
  return `${Buffer.from(bytes).toString('hex')}/${NETWORK_BITS}`;
}
