// Parses the settings once, before a build that takes minutes. One sentence on standard error and exit code 1 when one is wrong.
import { readSettings } from '@/server/config'

try {
  readSettings()
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
