import type Database from 'better-sqlite3'

const STATEMENTS_MAX = 500

/**
 * Keeps prepared statements of a connection and returns the test whether a text only reads. The adapter calls
 * `prepare(sql).bind(args).run()`, `.columns()` and `.raw().all()`; a real bind() on a kept statement would stick.
 */
export function keepStatements(client: Database.Database): (sql: string) => boolean {
  const prepare = client.prepare.bind(client) as (sql: string) => Database.Statement
  const kept = new Map<string, Database.Statement>()
  const get = (sql: string): Database.Statement => {
    const known = kept.get(sql)
    if (known) return known
    const statement = prepare(sql)
    for (const oldest of kept.size >= STATEMENTS_MAX ? [...kept.keys()].slice(0, 1) : []) kept.delete(oldest)
    kept.set(sql, statement)
    return statement
  }
  client.prepare = ((sql: string) => bindable(get(sql))) as unknown as typeof client.prepare
  return (sql) => get(sql).readonly
}

function bindable(statement: Database.Statement) {
  return {
    reader: statement.reader,
    readonly: statement.readonly,
    run: (...args: unknown[]) => statement.run(...args),
    bind: (args: unknown[]) => ({
      reader: statement.reader,
      run: () => statement.run(args),
      columns: () => statement.columns(),
      raw: () => ({ all: () => statement.raw(true).all(args) }),
    }),
  }
}
