/** Next calls this once when its server starts; the edge build of this file drops the import. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { boot } = await import('./server/boot')
    await boot()
  }
}
