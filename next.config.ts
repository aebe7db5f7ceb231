import type { NextConfig } from 'next'

const config: NextConfig = {
  output: process.env.BERTH_STANDALONE ? 'standalone' : undefined,
  // A lock file in a parent folder must not move the workspace root.
  outputFileTracingRoot: import.meta.dirname,
  turbopack: { root: import.meta.dirname },
  poweredByHeader: false,
  // `npm run check` reads the types; whoever starts Berth need not wait for that.
  typescript: { ignoreBuildErrors: true },
  productionBrowserSourceMaps: false,
  // Nothing is fetched or resized on the server: no remote picture, no optimiser.
  images: { unoptimized: true },
  serverExternalPackages: [
    'better-sqlite3',
    'pg',
    'argon2',
    '@prisma/adapter-better-sqlite3',
    '@prisma/adapter-pg',
    '@prisma/client',
    'pino',
  ],
  outputFileTracingIncludes: {
    '/*': ['./dist/*.mjs', './catalog/**', './prisma/migrations/**', './prisma/sqlite/migrations/**'],
  },
}

export default config
