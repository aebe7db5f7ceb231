/**
 * Who may type into a terminal: the one bound stream, and only with the generation at which it was bound, as long as that
 * is the highest generation ever seen. Generations come from the store; here they only rise.
 */
export class InputFence<Stream extends object> {
  #current = 0
  #bound: { stream: Stream; gen: number } | null = null

  /** The highest generation seen. */
  get current(): number {
    return this.#current
  }

  /** Binds a stream at a generation above every earlier one. Returns whether it did, and who was bound before. */
  bind(stream: Stream, gen: number): { isBound: boolean; displaced: Stream | null } {
    if (gen <= this.#current) return { isBound: false, displaced: null }
    const displaced = this.#bound && this.#bound.stream !== stream ? this.#bound.stream : null
    this.#current = gen
    this.#bound = { stream, gen }
    return { isBound: true, displaced }
  }

  /** Leaves nobody bound. A generation above the current one also makes every older binding stale; a lower one does nothing. */
  unbind(gen: number): boolean {
    if (gen < this.#current) return false
    this.#current = gen
    this.#bound = null
    return true
  }

  /** A stream that ended types no more. */
  leave(stream: Stream): void {
    if (this.#bound?.stream === stream) this.#bound = null
  }

  /** Binding = frame = current generation, and the stream is the bound one. */
  mayType(stream: Stream, gen: number): boolean {
    return this.#bound !== null && this.#bound.stream === stream && this.#bound.gen === gen && gen === this.#current
  }
}
