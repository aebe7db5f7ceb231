import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

export type KernelSpec = {
  python: string
  version: string
  /** Where what a notebook installs itself goes, in front of an environment that cannot be written; null: into the Python itself. */
  userPrefix: string | null
}

/** Pure: how Jupyter starts this Python as its kernel `python3`. */
export function kernelSpec({ python, version, userPrefix }: KernelSpec, displayName = 'Python 3'): object {
  const minor = version.split('.').slice(0, 2).join('.')
  const own = userPrefix === null ? {} : { PIP_PREFIX: userPrefix, PYTHONPATH: `${userPrefix}/lib/python${minor}/site-packages` }
  return {
    argv: [python, '-m', 'ipykernel_launcher', '-f', '{connection_file}'],
    ...{ display_name: displayName, language: 'python', metadata: { debugger: true }, env: own },
  }
}

/** Writes it below a folder that is then one of Jupyter's; whoever runs the server reads it. */
export async function writeKernelSpec(folder: string, spec: KernelSpec): Promise<void> {
  const minor = spec.version.split('.').slice(0, 2).join('.')
  const place = join(folder, 'kernels', 'python3')
  await mkdir(place, { recursive: true })
  for (const path of [folder, join(folder, 'kernels'), place]) await chmod(path, 0o755)
  const file = join(place, 'kernel.json')
  await writeFile(file, JSON.stringify(kernelSpec(spec, `Python ${minor} (${basename(dirname(dirname(spec.python)))})`)))
  await chmod(file, 0o644)
}
