import { describe, expect, it } from 'vitest'
import { isOwnAddress, isPublicAddress, isReachableException } from './address'

const REFUSED = `127.0.0.1 127.8.9.1 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1
100.127.255.254 192.0.0.1 192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.80 224.0.0.1 239.255.255.255 240.0.0.1
255.255.255.255 0177.0.0.1 2130706433 0x7f.1 ::1 :: ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::127.0.0.1 fe80::1 fe80::1%eth0 fc00::1
fd12:3456::1 ff02::1 2001:db8::1 2001::1 2002:7f00:1::1 2002:808:808::1 64:ff9b::7f00:1 64:ff9b::a00:1 64:ff9b:1::808:808
100::1 fec0::1 localhost not-an-address`.split(/\s+/)
const PUBLIC =
  '8.8.8.8 1.1.1.1 93.184.216.34 172.15.0.1 172.32.0.1 100.128.0.1 2606:4700:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808'.split(
    ' ',
  )

describe('E5, E6: addresses that a sandbox may reach', () => {
  it.each(REFUSED)('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
  it.each(PUBLIC)('takes %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it('lets the exception of a private mirror lead to private addresses, never to metadata', () => {
    expect(['10.1.2.3', '203.0.113.80', '127.0.0.1', 'fd00::1'].map(isReachableException)).toEqual([true, true, true, true])
    expect(['169.254.169.254', 'fe80::1', '224.0.0.1', '0.0.0.0', 'x'].map(isReachableException)).toEqual(Array(5).fill(false))
  })

  it('knows the addresses of the machine itself, however they are written', () => {
    const interfaces = { eth0: [{ address: '93.184.216.34' }, { address: '2606:4700::abcd' }] } as unknown as Parameters<
      typeof isOwnAddress
    >[1]
    expect(['93.184.216.34', '::ffff:93.184.216.34', '2606:4700:0:0:0:0:0:abcd'].map((a) => isOwnAddress(a, interfaces))).toEqual(
      [true, true, true],
    )
    expect(isOwnAddress('93.184.216.35', interfaces)).toBe(false)
  })
})
