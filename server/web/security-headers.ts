import { addresses } from '@/domain/settings'

type Policy = { nonce: string; port: number; isDevelopment: boolean }

/** 128 fresh random bits for one answer's scripts and styles. */
export function newNonce(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64')
}

/** The dashboard's policy: our own files and this answer's scripts; live bytes and downloads from the data host only. */
export function contentSecurityPolicy({ nonce, port, isDevelopment }: Policy): string {
  const { dashboardHost, dataHost, dataOrigin } = addresses(port)
  const development = (text: string) => (isDevelopment ? ` ${text}` : '')
  return [
    `default-src 'none'`,
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development(`'unsafe-eval'`)}`,
    `style-src 'self' ${isDevelopment ? `'unsafe-inline'` : `'nonce-${nonce}'`}`,
    // Components set element.style (charts, menus, the terminal); that carries no script.
    `style-src-attr 'unsafe-inline'`,
    `img-src 'self' data: blob:`,
    `font-src 'self'`,
    `connect-src 'self' ws://${dataHost} ${dataOrigin}${development(`ws://${dashboardHost}`)}`,
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `frame-src 'none'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self' ${dataOrigin}`,
    `frame-ancestors 'none'`,
  ].join('; ')
}

/** On every answer, files included. Strict-Transport-Security is missing on purpose: on localhost it would hit other servers. */
export const FIXED_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-xss-protection': '0',
  // The origin stays real on our own form posts, and paths with ids never leave the site.
  'referrer-policy': 'strict-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'origin-agent-cluster': '?1',
  'permissions-policy': [
    'accelerometer',
    'autoplay',
    'camera',
    'clipboard-read',
    'display-capture',
    'encrypted-media',
    'fullscreen',
    'geolocation',
    'gyroscope',
    'hid',
    'magnetometer',
    'microphone',
    'midi',
    'payment',
    'picture-in-picture',
    'publickey-credentials-create',
    'publickey-credentials-get',
    'screen-wake-lock',
    'serial',
    'usb',
    'xr-spatial-tracking',
  ]
    .map((feature) => `${feature}=()`)
    .concat('clipboard-write=(self)')
    .join(', '),
} as const

/** Pages and API answers are never kept by a cache; hashed files keep the lifetime that the server gives them. */
export const NO_STORE = 'no-store'
