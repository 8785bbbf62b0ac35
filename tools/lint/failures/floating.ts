import {
  type CallExpression,
  type Expression,
  isArrowFunction,
  isAwaitExpression,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isExpressionStatement,
  isFunctionExpression,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isVoidExpression,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { type Checker, SignatureKind, type Type, TypeFlags } from 'typescript/unstable/sync';
import { rejectionHandler } from './silent.ts';

export const FLOATING =
  'Nothing awaits this promise and nothing says where its error goes. Await it, or give it to inBackground (CONTRIBUTING, "Failures").';
export const MISUSED =
  'The caller of this function drops the promise that it returns. Pass its work to inBackground (CONTRIBUTING, "Failures").';

/** Expressions whose value is unused; their type shows whether they drop a promise. */
export function droppedExpressions(node: Node): Expression[] {
  if (isExpressionStatement(node)) return droppedIn(node.expression);
  if (isVoidExpression(node)) return droppedIn(node.expression);
  return [];
}

function droppedIn(expression: Expression): Expression[] {
  if (isParenthesizedExpression(expression)) return droppedIn(expression.expression);
  if (isAwaitExpression(expression)) return [];
  if (isConditionalExpression(expression)) {
    return [...droppedIn(expression.whenTrue), ...droppedIn(expression.whenFalse)];
  }
  if (isBinaryExpression(expression)) {
    return LAST_COUNTS.has(expression.operatorToken.kind) ? droppedIn(expression.right) : [];
  }
  const settling = settledBefore(expression);
  if (settling) return droppedIn(settling);
  return rejectionHandler(expression) ? [] : [expression];
}

/** Receiver of `.finally()`. */
function settledBefore(node: Expression): Expression | undefined {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return undefined;
  return node.expression.name.text === 'finally' ? node.expression.expression : undefined;
}

const LAST_COUNTS = new Set<SyntaxKind>([
  SyntaxKind.AmpersandAmpersandToken,
  SyntaxKind.BarBarToken,
  SyntaxKind.QuestionQuestionToken,
  SyntaxKind.CommaToken,
]);

/** Functions passed where no return value is expected; their caller drops a returned promise. */
export function callbacksOf(
  call: CallExpression,
  checker: Checker,
  isPromise: (type: Type) => boolean,
): Expression[] {
  const functions = call.arguments.filter(
    (each) => isFunctionExpression(each) || (isArrowFunction(each) && mayDrop(each.body)),
  );
  const signature = functions.length > 0 ? checker.getResolvedSignature(call) : undefined;
  // A caller that expects a promise gets the function's failure through it.
  const answer = signature && checker.getReturnTypeOfSignature(signature);
  if (!signature || !answer || checker.getPropertyOfType(answer, 'then')) return [];
  return functions.filter((each) => {
    const expected = checker.getParameterType(signature, call.arguments.indexOf(each));
    const own = checker.getTypeAtLocation(each);
    return (
      expected !== undefined &&
      own !== undefined &&
      answersOf(expected, checker).every((type) => (type.flags & TypeFlags.Void) !== 0) &&
      answersOf(expected, checker).length > 0 &&
      answersOf(own, checker).some(isPromise)
    );
  });
}

/** Whether the body of an arrow function handles its rejection, so that dropping its promise is harmless. */
function mayDrop(body: Node): boolean {
  return isBlock(body) || droppedIn(body as Expression).length > 0;
}

function answersOf(type: Type, checker: Checker): Type[] {
  return signaturesOf(type, checker).flatMap((each) => checker.getReturnTypeOfSignature(each) ?? []);
}

function signaturesOf(type: Type, checker: Checker) {
  const parts = type.isUnionType() ? (type.getTypes() ?? []) : [type];
  return parts.flatMap((each) => checker.getSignaturesOfType(each, SignatureKind.Call));
}

/** Promises of any implementation. A thenable without `catch` (a reply, a server during its setup) is none. */
export function createPromiseCheck(checker: Checker): (type: Type) => boolean {
  const known = new Map<number, boolean>();
  return function isPromise(type) {
    const before = known.get(type.id);
    if (before !== undefined) return before;
    known.set(type.id, false);
    const found = type.isUnionType()
      ? (type.getTypes() ?? []).some(isPromise)
      : (type.isObjectType() || type.isIntersectionType() || type.isTypeParameter()) &&
        ['then', 'catch'].every((name) => checker.getPropertyOfType(type, name) !== undefined);
    known.set(type.id, found);
    return found;
  };
}
