import { z } from 'zod'
import { runCommand } from '../sandbox/run-command'
import type { Interpreter } from './interpreter'

/**
 * Fixed text: pip itself says what it is configured with, also its built-in index, so that no registry is named here.
 * Where pip is not installed its wheel for new environments knows the same.
 */
const ASK = `import glob, json, os, sys, sysconfig
try:
    import pip
except ImportError:
    import ensurepip
    folders = [sysconfig.get_config_var("WHEEL_PKG_DIR"), os.path.join(ensurepip.__path__[0], "_bundled")]
    sys.path[:0] = [w for f in folders if f for w in glob.glob(os.path.join(f, "pip-*.whl"))]
from pip._internal.configuration import Configuration
from pip._internal.models.index import PyPI
configuration = Configuration(isolated=False)
configuration.load()
values = {}
for key, value in configuration.items():
    for name, text in (value.items() if isinstance(value, dict) else [(key, value)]):
        values[name.rsplit(".", 1)[-1]] = text
print(json.dumps({"values": values, "index": PyPI.simple_url, "files": PyPI.file_storage_domain}))`

const answer = z.object({
  values: z.record(z.string(), z.string()),
  index: z.string(),
  files: z.string(),
})

/** What pip would use here: its index, further ones, hosts of files, and a bundle of certificates. */
export type PipConfig = {
  index: string
  extra: string[]
  fileHosts: string[]
  certificates: string | null
  trusted: string | null
}

/** Reads it; null when pip cannot be asked. */
export async function readPipConfig(interpreter: Interpreter, environment: Record<string, string>): Promise<PipConfig | null> {
  const { code, stdout } = await runCommand([interpreter.path, '-c', ASK], { environment })
  if (code !== 0) return null
  const { values, index, files } = answer.parse(JSON.parse(stdout))
  const configured = values['index-url']
  return {
    index: configured ?? index,
    extra: (values['extra-index-url'] ?? '').split(/\s+/).filter(Boolean),
    fileHosts: configured === undefined || sameHost(configured, index) ? [files] : [],
    certificates: values.cert ?? null,
    trusted: values['trusted-host'] ?? null,
  }
}

function sameHost(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).host === new URL(b).host
}
