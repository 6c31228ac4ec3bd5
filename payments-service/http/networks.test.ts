import { expect, test } from 'vitest'
import { networkOf, networksOf } from './networks.ts'

test('P-02 addresses of one line of IPv6 are one network, within a wider one', () => {
  expect(networksOf('2001:db8:1:2:3:4:5:6')).toEqual(['2001:db8:1:2::/64', '2001:db8:1:0::/56', '2001:db8:1::/48'])
  expect(networksOf('2001:db8:1:12ff::1')).toEqual(['2001:db8:1:12ff::/64', '2001:db8:1:1200::/56', '2001:db8:1::/48'])
  expect(networkOf('2001:DB8:1:2::1')).toBe(networkOf('2001:db8:1:2:ffff:ffff:ffff:ffff'))
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
})

test('P-02 IPv4 is counted as it is, in whatever form it comes; what is no address is counted together', () => {
  expect(networksOf('203.0.113.7')).toEqual(['203.0.113.7'])
  expect(networksOf('::ffff:203.0.113.7')).toEqual(['203.0.113.7'])
  expect([networkOf(undefined), networkOf('nonsense'), networkOf('')]).toEqual(['unknown', 'unknown', 'unknown'])
})
