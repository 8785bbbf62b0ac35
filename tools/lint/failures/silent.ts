import {
  type Expression,
  isArrowFunction,
  isBindingElement,
  isBlock,
  isCallExpression,
  isCatchClause,
  isFunctionExpression,
  isIdentifier,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isThrowStatement,
  type Node,
} from 'typescript/unstable/ast';
import { type Checker, SignatureKind } from 'typescript/unstable/sync';

export const SWALLOWED =
  'This swallows every error. Name the one that is expected and throw the others, or log what failed (CONTRIBUTING, "Failures").';

/** Reports a `catch`, or a rejection handler, that treats all errors alike. One that ends in a throw hides none. */
export function createSilenceCheck(checker: Checker): (node: Node) => boolean {
  return (node) => {
    if (isCatchClause(node)) return ignoresError(node.variableDeclaration?.name, node.block);
    const handler = rejectionHandler(node);
    if (!handler) return false;
    if (isArrowFunction(handler) || isFunctionExpression(handler))
      return ignoresError(handler.parameters[0]?.name, handler.body);
    return takesNothing(handler, checker);
  };
}

/** Rejection handlers that a call passes to a promise. */
export function rejectionHandler(node: Node): Expression | undefined {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return undefined;
  const method = node.expression.name.text;
  if (method === 'catch' && node.arguments.length === 1) return node.arguments[0];
  if (method === 'then' && node.arguments.length === 2) return node.arguments[1];
  return undefined;
}

function ignoresError(error: Node | undefined, body: Node): boolean {
  const last = isBlock(body) ? body.statements.at(-1) : undefined;
  if (last && isThrowStatement(last)) return false;
  return !namesIn(error).some((name) => isRead(name, body));
}

/** Names that a parameter or a `catch` binds, destructured or not. */
function namesIn(bound: Node | undefined): string[] {
  if (!bound) return [];
  if (isIdentifier(bound)) return [bound.text];
  const names: string[] = [];
  bound.forEachChild((element) => {
    if (isBindingElement(element)) names.push(...namesIn(element.name));
  });
  return names;
}

function isRead(name: string, node: Node): boolean {
  if (isIdentifier(node)) return node.text === name;
  if (isPropertyAccessExpression(node)) return isRead(name, node.expression);
  if (isPropertyAssignment(node)) return isRead(name, node.initializer);
  return node.forEachChild((child) => isRead(name, child) || undefined) === true;
}

/** Functions defined elsewhere. */
function takesNothing(handler: Expression, checker: Checker): boolean {
  const type = checker.getTypeAtLocation(handler);
  const signatures = type ? checker.getSignaturesOfType(type, SignatureKind.Call) : [];
  return signatures.length > 0 && signatures.every((each) => each.parameters.length === 0);
}
