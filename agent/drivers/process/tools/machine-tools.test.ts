import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findInterpreter } from './interpreter'
import { machineSettings, readMachineTools } from './machine-tools'
import { findUv } from './uv'

const pip = { index: 'https://mirror.corp:8443/simple', extra: [], fileHosts: [], certificates: null, trusted: null }
const none = () => false

describe('settings of the machine’s package tools', () => {
  it('never carry a user or a password into a sandbox', () => {
    const found = {
      pip: { ...pip, index: 'https://me:s3cret@mirror.corp:8443/simple', extra: ['https://x:tok@extra.corp/simple'] },
      npm: { registry: 'http://u:p@npm.corp:4873/', certificates: null, scoped: { '@a:registry': 'https://q:w@scoped.corp/' } },
      environment: { UV_INDEX: 'name=https://z:y@uv.corp/simple' },
    }
    const { settings, registries, hasCredentials } = machineSettings(found, none)
    expect(JSON.stringify({ settings, registries })).not.toMatch(/s3cret|tok@|:p@|q:w|z:y/)
    expect(settings.PIP_INDEX_URL).toBe('https://mirror.corp:8443/simple')
    expect(settings.npm_config_registry).toBe('http://npm.corp:4873/')
    expect(hasCredentials).toBe(true)
    expect(registries).toEqual([
      { host: 'mirror.corp', port: 8443 },
      { host: 'extra.corp', port: 443 },
      { host: 'uv.corp', port: 443 },
      { host: 'npm.corp', port: 4873 },
      { host: 'scoped.corp', port: 443 },
    ])
  })

  it('allow exactly the registries’ own hosts and ports, each once', () => {
    const { registries } = machineSettings({ pip: { ...pip, fileHosts: ['files.corp'] }, npm: null, environment: {} }, none)
    expect(registries).toEqual([
      { host: 'mirror.corp', port: 8443 },
      { host: 'files.corp', port: 443 },
    ])
  })

  it('bring a private bundle of certificates in, and leave one that is there already', () => {
    const own = machineSettings({ pip: { ...pip, certificates: '/home/me/corp.pem' }, npm: null, environment: {} }, () => true)
    expect(own.binds).toEqual([{ source: '/home/me/corp.pem', target: '/etc/berth-certificates.pem', mode: 'read' }])
    expect(own.settings.NODE_EXTRA_CA_CERTS).toBe('/etc/berth-certificates.pem')
    const shown = machineSettings({ pip, npm: null, environment: { SSL_CERT_FILE: '/etc/ssl/certs/all.crt' } }, () => true)
    expect(shown.binds).toEqual([])
    expect(shown.settings.PIP_CERT).toBe('/etc/ssl/certs/all.crt')
    expect(
      machineSettings({ pip, npm: null, environment: { SSL_CERT_FILE: '/gone.pem' } }, none).settings.PIP_CERT,
    ).toBeUndefined()
  })
})

describe('tools of this machine', () => {
  it('answer for themselves', async () => {
    const tools = await readMachineTools({ ...process.env, PIP_INDEX_URL: 'https://mirror.corp:8443/simple' })
    expect(tools.registries).toContainEqual({ host: 'mirror.corp', port: 8443 })
    expect(tools.settings.PIP_INDEX_URL).toBe('https://mirror.corp:8443/simple')
  })

  it('include the Python of the system, never a shim', async () => {
    const interpreter = await findInterpreter()
    expect(interpreter?.path).toMatch(/^\/usr\//)
  })

  it('do not include a script that only calls itself uv', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'uv-'))
    writeFileSync(join(dir, 'uv'), '#!/bin/sh\necho uv 9.9.9\n')
    chmodSync(join(dir, 'uv'), 0o755)
    expect(await findUv(dir)).toBeNull()
    rmSync(dir, { recursive: true })
  })
})
