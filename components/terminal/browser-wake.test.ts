import { afterEach, expect, it, vi } from 'vitest'
import { onBrowserWake } from './browser-wake'

afterEach(() => vi.unstubAllGlobals())

it('X33: a tab in the background comes back when it is looked at, or when the browser is online again', () => {
  const page = Object.assign(new EventTarget(), { visibilityState: 'hidden' })
  const browser = new EventTarget()
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', browser)
  const woken = vi.fn()
  const forget = onBrowserWake(woken)
  page.dispatchEvent(new Event('visibilitychange'))
  browser.dispatchEvent(new Event('online'))
  expect(woken).not.toHaveBeenCalled() // nobody looks
  page.visibilityState = 'visible'
  page.dispatchEvent(new Event('visibilitychange'))
  browser.dispatchEvent(new Event('online'))
  expect(woken).toHaveBeenCalledTimes(2)
  forget()
  page.dispatchEvent(new Event('visibilitychange'))
  expect(woken).toHaveBeenCalledTimes(2)
})
