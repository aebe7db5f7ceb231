import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = path.dirname(import.meta.dirname)
const FOLDERS = ['agent', 'app', 'backends', 'cli', 'components', 'controller', 'domain', 'kit', 'protocol', 'scripts', 'server']

/** Every file of the product: what is built and shipped, and what starts it. */
const product = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((name) => /\.(ts|tsx|mjs)$/.test(name) && !/\.test\.|\/(generated|testing)\//.test(name)),
).concat('proxy.ts', 'instrumentation.ts', 'next.config.ts')

const SPAWNERS = ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'fork']
const SECRET = /(secret|token|ticket|csrf|nonce|password)(Hash)?$/i
const EQUALS = [
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]
const RAW_MARKUP = ['dangerouslySetInnerHTML', 'srcDoc', 'srcdoc', 'innerHTML', 'outerHTML', 'insertAdjacentHTML']

/** A constant in capitals, which no input is part of. */
const FIXED_MARKUP = /^\{\{ __html: [A-Z][A-Z0-9_]+ \}\}$/

/** The last name of an expression: `a.b.c()` → c. */
function nameOf(node) {
  if (ts.isIdentifier(node)) return node.text
  if (ts.isPropertyAccessExpression(node)) return node.name.text
  if (ts.isCallExpression(node)) return nameOf(node.expression)
  return ''
}
const isText = (node) => ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)
/** Something that no input is part of: a literal, or a constant in capitals. */
const isFixed = (node) =>
  isText(node) || ts.isNumericLiteral(node) || (ts.isIdentifier(node) && /^[A-Z][A-Z0-9_]+$/.test(node.text))
const isPlain = (node) =>
  isFixed(node) || ts.isTypeOfExpression(node) || ['null', 'true', 'false', 'undefined', 'length'].includes(node.getText())

const RULES = {
  'a shell of child_process': (node) => {
    if (!ts.isImportDeclaration(node) || !/child_process$/.test(node.moduleSpecifier.text)) return false
    const bindings = node.importClause?.namedBindings
    if (!bindings || !ts.isNamedImports(bindings)) return node.importClause?.phaseModifier === undefined
    return bindings.elements.some(({ name, propertyName }) => /^exec(Sync)?$/.test((propertyName ?? name).text))
  },
  'an option that starts a shell': (node) =>
    ts.isCallExpression(node) &&
    SPAWNERS.includes(nameOf(node.expression)) &&
    node.arguments.some((a) => ts.isObjectLiteralExpression(a) && a.properties.some((p) => p.name?.getText() === 'shell')),
  'a program text that input is part of': (node) => {
    const list = ts.isArrayLiteralExpression(node) ? node.elements : ts.isCallExpression(node) ? node.arguments : []
    return list.some((item, i) => isText(item) && /^-l?c$/.test(item.text) && list[i + 1] && !isFixed(list[i + 1]))
  },
  'code made of text': (node) =>
    (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'eval') ||
    (ts.isNewExpression(node) && nameOf(node.expression) === 'Function'),
  'raw markup': (node) =>
    (ts.isJsxAttribute(node) && RAW_MARKUP.includes(node.name.text) && !FIXED_MARKUP.test(node.initializer?.getText())) ||
    (ts.isPropertyAccessExpression(node) && RAW_MARKUP.includes(node.name.text)) ||
    (ts.isCallExpression(node) && /^write(ln)?$/.test(nameOf(node.expression)) && /^document\./.test(node.getText())),
  'a secret compared by ===': (node) =>
    ts.isBinaryExpression(node) &&
    EQUALS.includes(node.operatorToken.kind) &&
    !isPlain(node.left) &&
    !isPlain(node.right) &&
    [node.left, node.right].some((side) => SECRET.test(nameOf(side))),
}

const rules = Object.entries(RULES)

/** Without one of these words no rule can be broken: most files need no look at their tree. */
const WORDS =
  /child_process|\bshell\b|['"`]-l?c['"`]|\beval\b|\bFunction\(|HTML|srcdoc|document\.write|(secret|token|ticket|csrf|nonce|password)(hash)?\b/i

/** `rule: file: text` of each place that breaks one. */
function faultsOf(file, text) {
  if (!WORDS.test(text)) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, file.endsWith('x') ? ts.ScriptKind.TSX : undefined)
  const faults = []
  const visit = (node) => {
    for (const [rule, isBroken] of rules)
      if (isBroken(node)) faults.push(`${rule}: ${file}: ${node.getText().split('\n')[0].slice(0, 100)}`)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return faults
}
const rulesOf = (text) => faultsOf('planted.tsx', text).map((fault) => fault.slice(0, fault.indexOf(': ')))

describe('the gates of the source', () => {
  it.each([
    ['D1', 'a shell of child_process', "import { exec } from 'node:child_process'"],
    ['D1', 'a shell of child_process', "import { execSync as run } from 'child_process'"],
    ['D1', 'a shell of child_process', "import * as processes from 'node:child_process'"],
    ['D1', 'an option that starts a shell', "spawn('ls', [name], { shell: true })"],
    ['D1', 'an option that starts a shell', "execFileSync(tool, args, { cwd, shell: '/bin/sh' })"],
    ['D1', 'a program text that input is part of', `spawn('sh', ['-c', \`git clone \${url}\`])`],
    ['D1', 'a program text that input is part of', "const command = ['/bin/bash', '-lc', 'cd ' + folder]"],
    ['D1', 'a program text that input is part of', "run('bash', '-c', script)"],
    ['D1', 'code made of text', 'eval(answer)'],
    ['D1', 'code made of text', "new Function('x', body)"],
    ['G13', 'raw markup', 'const a = <p dangerouslySetInnerHTML={{ __html: line }} />'],
    ['G13', 'raw markup', 'element.innerHTML = name'],
    ['G13', 'raw markup', 'document.write(name)'],
    ['K2', 'a secret compared by ===', 'if (row.secretHash === asked.secretHash) return row'],
    ['K2', 'a secret compared by ===', 'return given.token !== expected'],
  ])('%s: catch %s: %s', (_id, rule, planted) => {
    expect(rulesOf(planted)).toEqual([rule])
  })

  it('let pass what is none of that', () => {
    const fine = `import { spawn, execFile } from 'node:child_process'
      spawn('git', ['clone', '--end-of-options', url], { cwd })
      spawn(python, ['-c', START_SERVER, name]); spawn('sh', ['-c', 'exec "$@"', 'sh', name])
      const found = /x/.exec(text); if (token === null || typeof token !== 'string' || kind === 'token') { db.exec(sql) }`
    expect(rulesOf(fine)).toEqual([])
  })

  it('D1, G13, K2: find nothing in any file of the product', () => {
    expect(product.length).toBeGreaterThan(400)
    expect(product.flatMap((file) => faultsOf(file, readFileSync(path.join(root, file), 'utf8')))).toEqual([])
  })
})
