/**
 * Which addresses a fetch may connect to. A page of the open web can name any host, and a host can resolve to any
 * address: without a guard a crawler reads the private network it runs in, and the credentials of its cloud machine.
 *
 * Refused are all addresses that are not globally reachable, and a few that clouds use for their own services. Names
 * do not count: the guard sees what the resolver said, for each connection, and what the socket is connected to.
 *
 * Source  IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890, RFC 8190, RFC 9637).
 */
import { BlockList, isIP } from 'node:net';

const REFUSED_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers; the metadata address of one cloud
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // a cloud's own service on every machine, though the address is public
  '169.254.0.0/16', // link-local; the metadata address of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
];

/** All but the global unicast range 2000::/3, and what of it is not reachable or carries IPv4 addresses. */
const REFUSED_IPV6 = [
  '::/3', // loopback, unspecified, IPv4-mapped, NAT64
  '4000::/2',
  '8000::/1', // unique local, link-local, multicast
  '2001::/23', // protocol assignments, Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
];

/** One list would not do: IPv4 addresses are looked up in IPv6 ranges too, as ::ffff:0:0/96. */
const refused = { ipv4: listOf(REFUSED_IPV4), ipv6: listOf(REFUSED_IPV6) };

export class AddressGuard {
  readonly #allowed: BlockList;

  /** @param allowed addresses and ranges that may be connected to all the same; see `isRange`. */
  constructor(allowed: readonly string[]) {
    this.#allowed = listOf(allowed);
  }

  /** @param address an IP address as text; any other text is refused. */
  allows(address: string): boolean {
    const version = isIP(address);
    if (version === 0 || address.includes('%')) return false;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    return this.#allowed.check(address, family) || !refused[family].check(address, family);
  }
}

/** Whether a text is an address (`127.0.0.1`, `::1`) or a range in CIDR notation (`10.0.0.0/8`, `fc00::/7`). */
export function isRange(text: string): boolean {
  const [, address, bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address ?? '');
  return version !== 0 && !text.includes('%') && Number(bits ?? 0) <= (version === 4 ? 32 : 128);
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address, bits] = range.split('/') as [string, string?];
    const isIPv4 = isIP(address) === 4;
    list.addSubnet(address, Number(bits ?? (isIPv4 ? 32 : 128)), isIPv4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
