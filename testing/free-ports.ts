import { createServer } from 'node:net'

/** Below those that the system hands out by itself, a range for each of several processes that look at once. */
const [FROM, RANGE, RANGES] = [20_000, 1500, 8]

/** The first of two ports in a row that are free on loopback. */
export async function freePortPair(): Promise<number> {
  const own = FROM + RANGE * (Number(process.env.VITEST_POOL_ID ?? process.pid) % RANGES)
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = own + 2 * Math.floor((Math.random() * RANGE) / 2)
    if ((await isFree(port)) && (await isFree(port + 1))) return port
  }
  throw new Error('no two free ports in a row')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)))
  })
}
