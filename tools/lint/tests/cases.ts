import {
  type Expression,
  isCallExpression,
  isFunctionLikeDeclaration,
  isIdentifier,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isReturnStatement,
  type Node,
} from 'typescript/unstable/ast';

const DEFINES = new Set(['it', 'test']);
const CHAINED = new Set([
  'concurrent',
  'each',
  'fails',
  'for',
  'only',
  'runIf',
  'sequential',
  'skip',
  'skipIf',
]);

/** The function of a test case: `it('…', work)`, `test.each(rows)('…', options, work)`. */
export function workOf(node: Node): Expression | undefined {
  if (!isCallExpression(node) || !definesCases(node.expression)) return undefined;
  const given = node.arguments.slice(1);
  return given.find(isFunctionLikeDeclaration) ?? given.find((each) => !isObjectLiteralExpression(each));
}

function definesCases(callee: Expression): boolean {
  if (isIdentifier(callee)) return DEFINES.has(callee.text);
  if (isPropertyAccessExpression(callee))
    return CHAINED.has(callee.name.text) && definesCases(callee.expression);
  return (
    isCallExpression(callee) &&
    isPropertyAccessExpression(callee.expression) &&
    definesCases(callee.expression)
  );
}

/** Early returns of a case before its first expectation. */
export function earlyReturns(work: Node, expectations: readonly Node[]): Node[] {
  const first = Math.min(...expectations.map(({ pos }) => pos));
  const found: Node[] = [];
  function visit(node: Node): void {
    if (node !== work && isFunctionLikeDeclaration(node)) return;
    if (isReturnStatement(node) && !node.expression && node.pos < first) found.push(node);
    node.forEachChild(visit);
  }
  visit(work);
  return found;
}
