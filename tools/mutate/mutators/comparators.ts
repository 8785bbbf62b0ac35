import { calledName, child, children, type Node } from './syntax.ts';

const SORTING = new Set(['sort', 'toSorted']);
const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionExpression']);

/** Numbers returned by comparators; only their sign matters. */
export function isSignOfComparator(node: Node, around: readonly Node[]): boolean {
  const [parent, ...others] = around;
  if (node.type !== 'Literal' || !isWithinComparator(around)) return false;
  return (
    parent !== undefined && (isBranch(node, parent) || (isNegation(parent) && isBranch(parent, others[0])))
  );
}

/** `one < other` before `-1 : 1`: of equal items either may stand first. */
export function isTestOfTwoWays(node: Node, around: readonly Node[]): boolean {
  const [parent] = around;
  if (parent?.type !== 'ConditionalExpression' || child(parent, 'test') !== node) return false;
  return (
    isWithinComparator(around) && ['consequent', 'alternate'].every((side) => isSign(child(parent, side)))
  );
}

function isWithinComparator(around: readonly Node[]): boolean {
  return around.some((node, index) => {
    const call = around[index + 1];
    return (
      FUNCTIONS.has(node.type) &&
      call?.type === 'CallExpression' &&
      SORTING.has(calledName(call)) &&
      children(call, 'arguments')[0] === node
    );
  });
}

function isBranch(node: Node, parent: Node | undefined): boolean {
  return parent?.type === 'ConditionalExpression' && isSign(node) && child(parent, 'test') !== node;
}

function isSign(node: Node | undefined): boolean {
  if (node === undefined) return false;
  if (isNegation(node)) return child(node, 'argument')?.value === 1;
  return node.type === 'Literal' && node.value === 1;
}

function isNegation(node: Node): boolean {
  return node.type === 'UnaryExpression' && node.operator === '-';
}
