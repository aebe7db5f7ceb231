const LINE_BYTES_MAX = 1024
const TRAILER_BYTES_MAX = 16_384
const LINE_FEED = 0x0a

/** Takes the chunked coding off the body of an answer, however it is cut. Trailers are read and dropped. */
export class ChunkReader {
  /** The body is whole. */
  isDone = false
  /** Bytes came after its end. */
  leftOver = false
  #line = ''
  #left = 0
  #state: 'size' | 'data' | 'after-data' | 'trailer' = 'size'
  #trailerBytes = 0

  /** The bytes of the body in this piece. Throws when they are not chunked. */
  read(bytes: Buffer): Buffer[] {
    const body: Buffer[] = []
    for (let at = 0; at < bytes.byteLength; ) {
      if (this.isDone) {
        this.leftOver = true
        return body
      }
      at = this.#state === 'data' ? this.#data(bytes, at, body) : this.#readLine(bytes, at)
    }
    return body
  }

  #data(bytes: Buffer, at: number, body: Buffer[]): number {
    const piece = bytes.subarray(at, at + this.#left)
    body.push(piece)
    this.#left -= piece.byteLength
    if (this.#left === 0) this.#state = 'after-data'
    return at + piece.byteLength
  }

  #readLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(LINE_FEED, at)
    const stop = end < 0 ? bytes.byteLength : end + 1
    this.#line += bytes.toString('latin1', at, stop)
    if (this.#line.length > LINE_BYTES_MAX) throw new Error('a line between chunks is too long')
    if (end >= 0) this.#take()
    return stop
  }

  #take(): void {
    if (!this.#line.endsWith('\r\n')) throw new Error('a bare line feed between chunks')
    const line = this.#line.slice(0, -2)
    this.#line = ''
    if (this.#state === 'after-data') {
      if (line !== '') throw new Error('a chunk is longer than it says')
      this.#state = 'size'
    } else if (this.#state === 'size') this.#size(line)
    else this.#trailer(line)
  }

  #size(line: string): void {
    const [, size] = /^([\da-fA-F]{1,12})(?:[ \t]*;[^\r\n]*)?$/.exec(line) ?? []
    if (size === undefined) throw new Error('a chunk without a size')
    this.#left = Number.parseInt(size, 16)
    this.#state = this.#left === 0 ? 'trailer' : 'data'
  }

  #trailer(line: string): void {
    this.#trailerBytes += line.length
    if (this.#trailerBytes > TRAILER_BYTES_MAX) throw new Error('too many trailers')
    if (line === '') this.isDone = true
  }
}
