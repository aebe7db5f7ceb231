import type { DriverOffer, RuntimeOffer } from '@/domain/machines'

/** What the sim driver offers on every machine: it runs nothing, so it can "run" each runtime and enforce nothing. */
export async function simOffers(): Promise<{ drivers: DriverOffer[]; runtimes: RuntimeOffer[]; enforces: [] }> {
  return {
    drivers: [{ row: 'sim', works: true, detail: null, fix: null, canPause: true }],
    runtimes: ['jupyterlab', 'shell'].map((runtime) => ({ runtime, works: true, detail: null, fix: null })),
    enforces: [],
  }
}
