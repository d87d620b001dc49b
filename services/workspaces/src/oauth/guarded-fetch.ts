import { lookup as resolveName, type LookupAddress } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { BlockList, isIP, type IPVersion, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface GuardedFetchOptions {
  /** Whether an address may be connected to. */
  isAllowed: (address: string) => boolean;
  resolve?: typeof resolveName;
  /** Certificate authorities to trust instead of the default ones. */
  ca?: string;
}

/** More than any metadata document needs. */
const MAX_BYTES = 5 * 1024;
const TIMEOUT_MS = 2_500;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/**
 * Fetches a JSON document whose URL an unknown client chose. Allows only https and no redirect; the socket resolves
 * the name once, so that a second DNS answer cannot change the checked address.
 * @throws Error for everything else.
 */
export async function guardedFetch(url: URL, options: GuardedFetchOptions): Promise<Response> {
  if (url.protocol !== 'https:') throw new Error('only https URLs are fetched');
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal) !== 0 && !options.isAllowed(literal)) throw notAllowed(literal);
  const response = await send(url, options);
  try {
    const { statusCode: status = 0, headers } = response;
    if (status !== 200) throw new Error(`expected status 200, not ${status}`);
    if (!JSON_TYPE.test(headers['content-type'] ?? '')) throw new Error('expected JSON');
    const { 'cache-control': caching, expires } = headers;
    const kept = { ...(caching && { 'cache-control': caching }), ...(expires && { expires }) };
    return new Response(await readBody(response), { status, headers: kept });
  } finally {
    response.destroy();
  }
}

function send(url: URL, { isAllowed, resolve = resolveName, ca }: GuardedFetchOptions): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    const sent = request(url, {
      // Use a new connection: a pooled one may have been opened before the address was checked.
      agent: false,
      headers: { accept: 'application/json' },
      lookup: guardedLookup(isAllowed, resolve),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(ca && { ca }),
    });
    sent.once('response', done).once('error', fail).end();
  });
}

/** Every address of a name must be allowed, since the socket chooses one. */
function guardedLookup(isAllowed: (address: string) => boolean, resolve: typeof resolveName): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error: Error | null, addresses: LookupAddress[]) => {
      if (error) return callback(error, []);
      const refused = addresses.find(({ address }) => !isAllowed(address));
      const [first] = addresses;
      if (refused || !first) callback(notAllowed(hostname), []);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error(`the document is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function notAllowed(host: string): Error {
  return new Error(`${host} is not a public address`);
}

/**
 * Public addresses that are answered inside a cloud only, by services that trust every caller. Other metadata
 * services use link-local, private or shared addresses and are excluded above: 169.254.169.254 of most clouds,
 * 100.100.100.200 of Alibaba, 192.0.0.192 of Oracle, fd00:ec2::254 of AWS.
 */
const isInsideCloud = inRanges([
  // Azure: the host of the machine.
  '168.63.129.16/32',
  // IBM: name servers, mirrors and private service endpoints.
  '161.26.0.0/16',
  '166.8.0.0/14',
  // Google: its APIs as its private networks reach them.
  '199.36.153.4/30',
  '199.36.153.8/30',
]);

/** No other IPv6 address is public. */
const isGlobal6 = inRanges(['2000::/3']);

/** Whether the address is outside all special-purpose ranges of the IANA registries (RFC 6890 and its updates). */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || ipaddr.parse(address).range() !== 'unicast') return false;
  return isIP(address) === 4 ? !isInsideCloud(address) : isGlobal6(address);
}

/** Whether an address is one of the given, or lies in one of the given ranges, such as `10.0.0.0/8`. */
export function inRanges(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    if (prefix === undefined) list.addAddress(network, familyOf(network));
    else list.addSubnet(network, Number(prefix), familyOf(network));
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

function familyOf(address: string): IPVersion {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
