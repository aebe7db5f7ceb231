import { z } from 'zod'

const port = z.coerce
  .number()
  .int('a whole number')
  .min(1024, 'a port from 1024 to 65534')
  .max(65_534, 'a port from 1024 to 65534')
const absolutePath = z.string().startsWith('/', 'an absolute path')

/** Every setting of Berth, for all its processes. Parsed once per process; an unknown `BERTH_*` name is an error. */
export const settings = z.object({
  /** Data directory. Default: `~/.local/share/berth` on Linux, `~/Library/Application Support/Berth` on macOS; `npm start` fills it in. */
  BERTH_HOME: absolutePath,
  /** Port of the dashboard; the next one is the gateway's. */
  BERTH_PORT: port.default(7480),
  /** PostgreSQL address; without it SQLite in the data directory. */
  BERTH_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'a postgresql:// address')
    .optional(),
  /** A catalog file instead of the shipped one. */
  BERTH_CATALOG: absolutePath.optional(),
  /** How much the processes write to their log: `debug`, `info`, `warn` or `error`. */
  BERTH_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error'], 'debug, info, warn or error').default('info'),
  /** Drivers that the local agent offers, comma-separated: `process`, and `sim` for development and tests. */
  BERTH_DRIVERS: z
    .string()
    .regex(/^(process|sim)(,(process|sim))?$/, 'process, sim or both')
    .default('process'),
  /** Command line: an API token, instead of the one that `berth login` keeps. */
  BERTH_TOKEN: z
    .string()
    .regex(/^berth_pat_[0-9A-Za-z]{49}$/, 'an API token')
    .optional(),
  /** Internal: the folder of the code, set by `npm start`. */
  BERTH_ROOT: absolutePath,
  /** Internal: the short folder of sockets, set by `npm start`; at most 45 bytes. */
  BERTH_RUNTIME_DIR: absolutePath.max(45, 'at most 45 bytes'),
})
export type Settings = z.infer<typeof settings>

/** The addresses that follow from the port. Exact: no other Host is served. */
export function addresses(port: number) {
  return {
    dashboardHost: `berth.localhost:${port}`,
    dashboardOrigin: `http://berth.localhost:${port}`,
    dataHost: `io.berth.localhost:${port + 1}`,
    dataOrigin: `http://io.berth.localhost:${port + 1}`,
    /** `inside`: another port of the same workload. */
    workloadHost: (label: string, inside: number | null = null) => `w-${nameOf(label, inside)}.localhost:${port + 1}`,
    workloadOrigin: (label: string, inside: number | null = null) => `http://w-${nameOf(label, inside)}.localhost:${port + 1}`,
    gatewayPort: port + 1,
  }
}

function nameOf(label: string, inside: number | null): string {
  return inside === null ? label : `${label}--${inside}`
}
