import type { Edit } from './edit.ts';
import { at, textOf } from './expressions.ts';
import { calledName, child, children, type Node } from './syntax.ts';

/** Statements that make a condition a guard. */
const LEAVING = new Set(['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement']);
/** Log calls and `unref` have no effect that tests can see. */
const UNNOTICEABLE = new Set(['debug', 'info', 'warn', 'error', 'trace', 'unref', 'super']);

/** Mutations of statements. */
export function statementEdits(node: Node, source: string): Edit[] {
  switch (node.type) {
    case 'ExpressionStatement':
      return dropStatement(node, source);
    case 'ThrowStatement':
      return [{ mutator: 'statement dropped', ...at(node), text: ';' }];
    case 'IfStatement':
      return changeGuard(node);
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return returnEarly(node);
    default:
      return [];
  }
}

function dropStatement(node: Node, source: string): Edit[] {
  const expression = child(node, 'expression');
  if (!expression || expression.type === 'Literal') return [];
  const awaited = expression.type === 'AwaitExpression' ? child(expression, 'argument') : undefined;
  const done = awaited ?? expression;
  if (done.type === 'CallExpression' && UNNOTICEABLE.has(calledName(done))) return [];
  const dropped = { mutator: 'statement dropped', ...at(node), text: ';' };
  if (!awaited) return [dropped];
  return [dropped, { mutator: 'await dropped', ...at(node), text: `void ${textOf(awaited, source)};` }];
}

function changeGuard(node: Node): Edit[] {
  const [test, done] = [child(node, 'test'), child(node, 'consequent')];
  if (!test || !done) return [];
  const never = { mutator: 'guard dropped', ...at(test), text: 'false' };
  const only = done.type === 'BlockStatement' ? children(done, 'body').at(-1) : done;
  const isGuard = only !== undefined && LEAVING.has(only.type) && !child(node, 'alternate');
  return isGuard ? [never] : [never, { mutator: 'condition', ...at(test), text: 'true' }];
}

/** For a single statement this equals dropping it. */
function returnEarly(node: Node): Edit[] {
  const body = child(node, 'body');
  const [first, second] = body ? children(body, 'body') : [];
  if (body?.type !== 'BlockStatement' || !first || !second) return [];
  return [{ mutator: 'early return', start: first.start, end: first.start, text: 'return; ' }];
}
