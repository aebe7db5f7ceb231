// Plain JavaScript: the start script uses it before any package is installed.

/** The known name with the smallest edit distance. */
export function nearest(name, known) {
  const ranked = known.map((k) => ({ k, d: distance(name, k) })).sort((a, b) => a.d - b.d)
  return ranked[0]?.k ?? '(there are none)'
}

function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      next.push(Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + cost))
    }
    row = next
  }
  return row[b.length]
}
