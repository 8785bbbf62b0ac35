import type { Edit } from './edit.ts';
import { at, textOf } from './expressions.ts';
import { calledName, child, children, type Node } from './syntax.ts';

/** Parts of a query that narrow, order or lock what it finds. */
const NARROWING = new Set([
  ...['where', 'whereRef', 'having', 'limit', 'orderBy', 'distinct', 'forUpdate', 'skipLocked'],
]);
const OPERATORS: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '=': '!=',
  '!=': '=',
  is: 'is not',
  'is not': 'is',
  in: 'not in',
  'not in': 'in',
};

/** Mutations of queries of the query builder. */
export function queryEdits(node: Node, source: string): Edit[] {
  if (node.type !== 'CallExpression') return [];
  return [...dropPart(node, source), ...swapOperator(node, source)];
}

function dropPart(call: Node, source: string): Edit[] {
  const callee = child(call, 'callee');
  const query = callee?.type === 'MemberExpression' ? child(callee, 'object') : undefined;
  if (!query || !NARROWING.has(calledName(call))) return [];
  return [{ mutator: 'query part dropped', ...at(call), text: textOf(query, source) }];
}

/** `where('at', '<', now)`: the operator is the second of three. */
function swapOperator(call: Node, source: string): Edit[] {
  const [, operator, value] = children(call, 'arguments');
  const swapped = OPERATORS[String(operator?.value)];
  if (!operator || !value || swapped === undefined || textOf(operator, source).length > 'not in'.length + 2)
    return [];
  return [{ mutator: 'query operator', ...at(operator), text: `'${swapped}'` }];
}
