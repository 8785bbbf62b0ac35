import {
  type ArrowFunction,
  type Block,
  type Expression,
  type FunctionExpression,
  isArrayLiteralExpression,
  isArrowFunction,
  isBlock,
  isCallExpression,
  isCatchClause,
  isFunctionExpression,
  isIdentifier,
  isLiteralExpression,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isReturnStatement,
  isVoidExpression,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast';

export const SWALLOWED =
  'This swallows every error. Name the one that is expected and throw the others, or log what failed (CONTRIBUTING, "Failures").';

/** A `catch` without a word about its error, or a handler that answers every error with the same constant. */
export function isSilent(node: Node): boolean {
  if (isCatchClause(node)) return node.block.statements.length === 0;
  const handler = rejectionHandler(node);
  return handler !== undefined && ignoresErrors(handler);
}

/** What a call gives to a promise for the case that it is rejected. */
export function rejectionHandler(node: Node): Expression | undefined {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return undefined;
  const method = node.expression.name.text;
  if (method === 'catch' && node.arguments.length === 1) return node.arguments[0];
  if (method === 'then' && node.arguments.length === 2) return node.arguments[1];
  return undefined;
}

function ignoresErrors(handler: Expression): boolean {
  if (!isArrowFunction(handler) && !isFunctionExpression(handler)) return false;
  const body = bodyOf(handler);
  return body === undefined || isConstant(body);
}

/** Undefined when there is nothing in it. */
function bodyOf({ body }: ArrowFunction | FunctionExpression): Node | undefined {
  if (!isBlock(body)) return body;
  const [first] = (body as Block).statements;
  return first && isReturnStatement(first) ? first.expression : first;
}

function isConstant(node: Node): boolean {
  if (isParenthesizedExpression(node)) return isConstant(node.expression);
  if (isVoidExpression(node)) return isConstant(node.expression);
  if (isIdentifier(node)) return node.text === 'undefined';
  if (isArrayLiteralExpression(node)) return node.elements.length === 0;
  if (isObjectLiteralExpression(node)) return node.properties.length === 0;
  return isLiteralExpression(node) || CONSTANT_WORDS.has(node.kind);
}

const CONSTANT_WORDS = new Set<SyntaxKind>([
  SyntaxKind.TrueKeyword,
  SyntaxKind.FalseKeyword,
  SyntaxKind.NullKeyword,
]);
