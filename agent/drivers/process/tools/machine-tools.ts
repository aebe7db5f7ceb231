import { existsSync, realpathSync } from 'node:fs'
import type { RegistryHost } from '@/domain/machines'
import type { SandboxBind } from '../sandbox/bwrap-arguments'
import type { ToolSettings } from '../sandbox/sandbox-environment'
import type { Interpreter } from './interpreter'
import { findInterpreter } from './interpreter'
import type { NpmConfig } from './npm-config'
import { readNpmConfig } from './npm-config'
import type { PipConfig } from './pip-config'
import { readPipConfig } from './pip-config'
import type { Uv } from './uv'
import { findUv } from './uv'

/** What this machine's own package tools say: the same settings go into each sandbox, and their hosts into its policy. */
export type MachineTools = {
  interpreter: Interpreter | null
  uv: Uv | null
  registries: RegistryHost[]
  settings: ToolSettings
  /** A bundle of certificates that no sandbox would see otherwise. */
  binds: readonly SandboxBind[]
  /** An address had a user and a password in it; they stay outside, and a registry that needs them will refuse. */
  hasCredentials: boolean
}

type Found = { pip: PipConfig | null; npm: NpmConfig | null; environment: Readonly<Record<string, string | undefined>> }

const BUNDLE = '/etc/berth-certificates.pem'
const CERTIFICATE_NAMES = ['PIP_CERT', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS']

/** Asks pip, npm and the environment of the agent. */
export async function readMachineTools(environment = process.env): Promise<MachineTools> {
  const own = Object.fromEntries(
    Object.entries(environment).filter((e): e is [string, string] => e[1] !== undefined && !e[0].startsWith('BERTH_')),
  )
  const interpreter = await findInterpreter()
  const [pip, npm, uv] = await Promise.all([
    interpreter ? readPipConfig(interpreter, own) : null,
    readNpmConfig(own),
    findUv(own.PATH),
  ])
  return { interpreter, uv, ...machineSettings({ pip, npm, environment: own }, existsSync) }
}

/** Pure but for the question whether a file is there: addresses without their credentials, hosts, certificates. */
export function machineSettings(
  found: Found,
  isThere: (path: string) => boolean,
): Pick<MachineTools, 'registries' | 'settings' | 'binds' | 'hasCredentials'> {
  const { pip, npm, environment } = found
  const uvIndex = environment.UV_DEFAULT_INDEX ?? environment.UV_INDEX_URL ?? pip?.index
  const uvExtra = (environment.UV_INDEX ?? environment.UV_EXTRA_INDEX_URL ?? '')
    .split(/\s+/)
    .map((part) => part.replace(/^[\w.-]+=/, ''))
  const addresses = [pip?.index, ...(pip?.extra ?? []), uvIndex, ...uvExtra, npm?.registry, ...Object.values(npm?.scoped ?? {})]
  const urls = addresses.filter((text): text is string => !!text && URL.canParse(text)).map((text) => new URL(text))
  const certificates = bundleOf(found, isThere)
  return {
    registries: unique([...urls.map(hostOf), ...(pip?.fileHosts ?? []).map((host) => ({ host, port: 443 }))]),
    settings: {
      ...named('PIP_INDEX_URL', bare(pip?.index)),
      ...named('PIP_EXTRA_INDEX_URL', pip?.extra.map(bare).join(' ')),
      ...named('PIP_TRUSTED_HOST', pip?.trusted ?? undefined),
      ...named('UV_DEFAULT_INDEX', bare(uvIndex)),
      ...named('UV_INDEX', uvExtra.map(bare).join(' ')),
      ...named('npm_config_registry', bare(npm?.registry)),
      ...Object.fromEntries(Object.entries(npm?.scoped ?? {}).map(([name, url]) => [`npm_config_${name}`, bare(url) ?? ''])),
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
      PIP_NO_INPUT: '1',
      npm_config_update_notifier: 'false',
      ...(certificates ? Object.fromEntries(CERTIFICATE_NAMES.map((name) => [name, certificates.inside])) : {}),
    },
    binds: certificates?.bind ? [certificates.bind] : [],
    hasCredentials: urls.some((url) => url.username !== '' || url.password !== ''),
  }
}

function bundleOf(found: Found, isThere: (path: string) => boolean): { inside: string; bind: SandboxBind | null } | null {
  const { pip, npm, environment } = found
  const named = [pip?.certificates, ...CERTIFICATE_NAMES.map((name) => environment[name]), npm?.certificates]
  const path = named.find((candidate) => candidate?.startsWith('/') && isThere(candidate))
  if (!path) return null
  const isShown = path.startsWith('/etc/ssl/certs/') || path.startsWith('/usr/')
  return isShown ? { inside: path, bind: null } : { inside: BUNDLE, bind: { source: real(path), target: BUNDLE, mode: 'read' } }
}

function real(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}

/** The address without user and password: they never enter a sandbox. */
function bare(address: string | undefined): string | undefined {
  if (!address || !URL.canParse(address)) return undefined
  const url = new URL(address)
  url.username = ''
  url.password = ''
  return url.toString()
}

function hostOf(url: URL): RegistryHost {
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port)
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port }
}

function unique(hosts: RegistryHost[]): RegistryHost[] {
  return [...new Map(hosts.map((host) => [`${host.host}:${host.port}`, host])).values()]
}

function named(name: string, value: string | undefined): Record<string, string> {
  return value ? { [name]: value } : {}
}
