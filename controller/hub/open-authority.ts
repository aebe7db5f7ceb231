import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '@/kit/clock'
import type { Db } from '@/server/store/db'
import { ensureInstallation, saveCa } from '@/server/store/system/setup'
import { Authority, authorityCertificate } from './authority'

/**
 * Opens the installation's certificate authority: its key lies in `keys/ca.key` (0600), its certificate in the database.
 * At the first start both are made. A certificate without its key, or with another one, stops the start: machines trust
 * that certificate, and a person must bring the key back.
 */
export async function openAuthority({ db, keyFile, clock }: { db: Db; keyFile: string; clock: Clock }): Promise<Authority> {
  const { caPem } = await ensureInstallation(db, { id: uuidv7(), at: clock.now() })
  const key = (await readKey(keyFile)) ?? (caPem === null ? await makeKey(keyFile) : null)
  if (key === null) throw new Error(`${keyFile} is missing: bring it back from a backup that has keys`)
  const keys = await keyPairOf(key)
  if (caPem !== null) {
    if (!new X509Certificate(caPem).checkPrivateKey(key))
      throw new Error(`${keyFile} is not the key of this installation's certificate`)
    return new Authority({ pem: caPem, keys, clock })
  }
  const pem = await authorityCertificate(keys, clock)
  await saveCa(db, pem)
  return new Authority({ pem, keys, clock })
}

async function readKey(keyFile: string): Promise<KeyObject | null> {
  try {
    return createPrivateKey(await readFile(keyFile))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new Error(`${keyFile} cannot be read`, { cause: error })
  }
}

async function makeKey(keyFile: string): Promise<KeyObject> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await mkdir(path.dirname(keyFile), { recursive: true, mode: 0o700 })
  await writeFile(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx', flush: true })
  return privateKey
}

async function keyPairOf(key: KeyObject): Promise<CryptoKeyPair> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const { subtle } = crypto
  const pkcs8 = key.export({ type: 'pkcs8', format: 'der' })
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' })
  return {
    privateKey: await subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']),
    publicKey: await subtle.importKey('spki', spki, algorithm, true, ['verify']),
  }
}
