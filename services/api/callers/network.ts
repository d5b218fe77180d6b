import ipaddr from 'ipaddr.js'

/**
 * The network that an address counts as: the whole IPv4 address, or the /64 of an IPv6 address, which one subscriber gets.
 * Every invalid address that a proxy reports counts as one network.
 */
export const networkOf = (ip: string): string => prefixOf(ip, NETWORK_GROUPS)

/**
 * The site of an address: the whole IPv4 address, or the /48 of an IPv6 address. Anybody gets one for nothing, with 65,536
 * networks in it; at a mobile carrier many people share it.
 */
export const siteOf = (ip: string): string => prefixOf(ip, SITE_GROUPS)

/** Groups of 16 bits. */
const NETWORK_GROUPS = 4
const SITE_GROUPS = 3

function prefixOf(ip: string, groups: number): string {
  if (!ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return address.parts
    .slice(0, groups)
    .map((group) => group.toString(16))
    .join(':')
}
