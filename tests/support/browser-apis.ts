/** Which of the browser's and the language's own things a script uses, as TypeScript's libraries declare them. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from '../../scripts/settings.ts'
import { featureOf, lacking } from './oldest-browser.ts'

/** Files of the site and the contract that may end up in a browser: what asks Node for something never does. */
export function browserFiles(): string[] {
  return globSync('{src,contract}/**/*.{ts,tsx,js}', { cwd: root })
    .filter((file) => !/\.test\.|\.d\.ts$|^src\/(cms|drafts|pages)\/|^contract\/(content|api|duties|tax)\//.test(file))
    .map((file) => join(root, file))
    .filter((file) => !/from 'node:/.test(readFileSync(file, 'utf8')))
}

/** A type's name and those that it builds on, most of its own first: HTMLElement, Element, Node … */
function namesOf(type: ts.Type, checker: ts.TypeChecker): string[] {
  if (type.isUnionOrIntersection()) return type.types.flatMap((one) => namesOf(one, checker))
  const apparent = checker.getApparentType(type)
  const name = (apparent.aliasSymbol ?? apparent.symbol)?.name
  const bases = apparent.isClassOrInterface() ? checker.getBaseTypes(apparent) : (apparent.getBaseTypes() ?? [])
  return [...(name ? [name] : []), ...bases.flatMap((base) => namesOf(base, checker))]
}

const ownName = (name: string): string => name.replace(/Constructor$/, '').replace(/^Readonly(?=Array|Map|Set)/, '')

/** Declared by TypeScript's libraries, not by us or a package. */
const isStandard = (symbol: ts.Symbol): boolean =>
  symbol.declarations?.some((one) => /\/typescript\/lib\/lib\.(dom|es)/.test(one.getSourceFile().fileName)) ?? false

/** `one?.two` and `one.two?.()` ask first whether it is there, and `if ('two' in one)` for all in its braces. */
function isAsked(node: ts.Expression): boolean {
  const { parent } = node
  if (ts.isOptionalChain(node)) return true
  const called = ts.isPropertyAccessExpression(parent) || ts.isCallExpression(parent) ? parent : undefined
  return (called?.expression === node && called.questionDotToken !== undefined) || isWithinQuestion(node)
}

function isWithinQuestion(node: ts.Node): boolean {
  for (let one = node; !ts.isSourceFile(one); one = one.parent) {
    const above = one.parent
    if (!ts.isIfStatement(above) || above.thenStatement !== one || !ts.isBinaryExpression(above.expression)) continue
    if (above.expression.operatorToken.kind === ts.SyntaxKind.InKeyword) return true
  }
  return false
}

export interface Use {
  what: string
  at: string
  /** Of the oldest browsers, those that lack it. */
  lacking: string[]
}

/** What these files use of browser and language where MDN has an entry for it. */
export function usesOf(files: readonly string[]): Use[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile) as { config: unknown }
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const program = ts.createProgram(files, options)
  const checker = program.getTypeChecker()
  const uses: Use[] = []
  const note = (node: ts.Node, owners: readonly string[], member?: string): void => {
    const owner = owners.find((one) => featureOf(one, member))
    if (!owner) return
    const file = node.getSourceFile()
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1
    uses.push({
      what: member ? `${owner}.${member}` : owner,
      at: `${file.fileName}:${line}`,
      lacking: lacking(featureOf(owner, member)),
    })
  }
  const standardName = (node: ts.Node): string[] => {
    const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined
    return symbol && isStandard(symbol) ? [symbol.name] : []
  }
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) {
      const member = checker.getSymbolAtLocation(node.name)
      if (member && isStandard(member) && !isAsked(node)) {
        const types = namesOf(checker.getTypeAtLocation(node.expression), checker).map(ownName)
        // the type of a class of the browser has no name, which is where its static members are
        note(node, [...standardName(node.expression), ...types], node.name.text)
      }
    } else if (ts.isNewExpression(node) && !isAsked(node)) {
      for (const made of standardName(node.expression)) note(node, [made], made)
    } else if (ts.isCallExpression(node)) {
      note(node, standardName(node.expression))
    }
    ts.forEachChild(node, visit)
  }
  for (const file of files) {
    const source = program.getSourceFile(file)
    if (source) visit(source)
  }
  return uses
}
