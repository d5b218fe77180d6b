import ipaddr from 'ipaddr.js'

/**
 * The network that an address counts as: the whole IPv4 address, or the /64 of an IPv6 address, which one subscriber gets.
 * Every invalid address that a proxy reports counts as one network.
 */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return address.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}
