// What Berth is measured against, installed on demand into `.bench/`, which git ignores.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const folder = path.join(root, '.bench')
const python = path.join(folder, 'python/bin/python')
const node = path.join(folder, 'node')

export type Peers = { python: string; bin(name: string): string; proxy: string; versions: Record<string, string> }

/** JupyterHub, the catalog's JupyterLab and terminado from PyPI, configurable-http-proxy from npm. */
export function installPeers(jupyterlab: string): Peers {
  if (!existsSync(python)) install('peers: a Python environment', ['/usr/bin/python3', '-m', 'venv', path.join(folder, 'python')])
  if (!isInstalled(['jupyterhub', 'jupyterlab', 'terminado']))
    install('peers: JupyterHub, JupyterLab, terminado', [
      python,
      '-m',
      'pip',
      'install',
      '-q',
      jupyterlab,
      'jupyterhub',
      'terminado',
    ])
  const proxy = path.join(node, 'node_modules/configurable-http-proxy')
  if (!existsSync(proxy)) {
    mkdirSync(node, { recursive: true })
    writeFileSync(path.join(node, 'package.json'), '{"private":true}\n')
    install('peers: configurable-http-proxy', ['npm', 'install', '--no-audit', '--no-fund', 'configurable-http-proxy'], {
      cwd: node,
    })
  }
  return {
    python,
    bin: (name) => path.join(folder, 'python/bin', name),
    proxy: path.join(node, 'node_modules/.bin/configurable-http-proxy'),
    versions: { ...pythonVersions(), 'configurable-http-proxy': versionOf(proxy) },
  }
}

function install(what: string, [file = '', ...args]: string[], options: { cwd?: string } = {}): void {
  console.error(`# ${what}`)
  const result = spawnSync(file, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] })
  if (result.status !== 0) throw new Error(`${what}: not installed (exit code ${result.status})`)
}

function isInstalled(packages: string[]): boolean {
  const found = pythonVersions()
  return packages.every((name) => found[name] !== undefined)
}

function pythonVersions(): Record<string, string> {
  const code = `
import json
from importlib.metadata import version, PackageNotFoundError
found = {}
for name in ('jupyterhub', 'jupyterlab', 'terminado', 'tornado'):
    try: found[name] = version(name)
    except PackageNotFoundError: pass
print(json.dumps(found))`
  const result = spawnSync(python, ['-c', code], { encoding: 'utf8' })
  return result.status === 0 ? JSON.parse(result.stdout) : {}
}

function versionOf(home: string): string {
  return JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')).version
}
