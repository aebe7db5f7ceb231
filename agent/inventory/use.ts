import { statfs } from 'node:fs/promises'
import os from 'node:os'
import type { MachineUse } from '@/domain/machines'

type Ticks = { busy: number; all: number }

/** Measures the use of the machine; CPU is the share since the measurement before. */
export class UseMeter {
  readonly #dataDir: string
  #ticks: Ticks = cpuTicks()
  #cpu = 0
  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  async sample(): Promise<MachineUse> {
    const now = cpuTicks()
    const passed = now.all - this.#ticks.all
    // Two samples within a few ticks say nothing: the last figure stands.
    if (passed > 20 * os.cpus().length) {
      this.#cpu = Math.min(1, Math.max(0, (now.busy - this.#ticks.busy) / passed))
      this.#ticks = now
    }
    const disk = await diskSpace(this.#dataDir)
    return { cpu: this.#cpu, memoryBytes: Math.max(0, os.totalmem() - os.freemem()), diskFreeBytes: disk.freeBytes }
  }
}

/** Size and free space of the disk on which a folder lies. */
export async function diskSpace(folder: string): Promise<{ bytes: number; freeBytes: number }> {
  const disk = await statfs(folder)
  return { bytes: disk.blocks * disk.bsize, freeBytes: disk.bavail * disk.bsize }
}

function cpuTicks(): Ticks {
  const times = os.cpus().map((cpu) => cpu.times)
  const all = times.reduce((sum, t) => sum + t.user + t.nice + t.sys + t.idle + t.irq, 0)
  return { busy: all - times.reduce((sum, t) => sum + t.idle, 0), all }
}
