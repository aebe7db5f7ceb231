import type { Catalog, GpuClass, Runtime } from '@/domain/catalog'
import { deviceClass } from '@/domain/gpu-class'
import type { MachineView } from '@/domain/views'

/** The sentence under the title. Pure. */
export function catalogText({ runtimes, sizes, classes }: Catalog): string {
  const count = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`
  return `${count(runtimes.length, 'runtime')}, ${count(sizes.length, 'size')}, ${count(classes.length, 'GPU class', 'GPU classes')}.`
}

/** The title of the size that a runtime starts with; its id where the catalog has lost it. Pure. */
export function defaultSizeText({ sizes }: Catalog, { defaultSize }: Runtime): string {
  return sizes.find((size) => size.id === defaultSize)?.title ?? defaultSize
}

/** How many devices of a class the machines here have. Pure. */
export function devicesHere(gpuClass: GpuClass, catalog: Catalog, machines: readonly MachineView[]): number {
  return machines.flatMap((m) => m.inventory?.devices ?? []).filter((d) => deviceClass(d, catalog) === gpuClass.id).length
}

/** "vm is not shared with you". Pure. */
export function notSharedText(machines: readonly Pick<MachineView, 'name'>[]): string {
  return `${machines.map(({ name }) => name).join(', ')} ${machines.length === 1 ? 'is' : 'are'} not shared with you`
}
