import type { Edit } from './edit.ts';
import { child, type Node } from './syntax.ts';

const SWAPPED: Record<string, readonly [mutator: string, text: string][]> = {
  '<': [
    ['boundary', '<='],
    ['comparison', '>='],
  ],
  '<=': [
    ['boundary', '<'],
    ['comparison', '>'],
  ],
  '>': [
    ['boundary', '>='],
    ['comparison', '<='],
  ],
  '>=': [
    ['boundary', '>'],
    ['comparison', '<'],
  ],
  '===': [['comparison', '!==']],
  '!==': [['comparison', '===']],
  '&&': [['logic', '||']],
  '||': [['logic', '&&']],
  '+': [['arithmetic', '-']],
  '-': [['arithmetic', '+']],
  '*': [['arithmetic', '/']],
  '/': [['arithmetic', '*']],
  '+=': [['arithmetic', '-=']],
  '-=': [['arithmetic', '+=']],
};
const MILLISECONDS = 1_000;

/** Mutations of expressions. */
export function expressionEdits(node: Node, source: string): Edit[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return swapOperator(node, source);
    case 'ConditionalExpression':
      return negate(child(node, 'test'), source);
    case 'UnaryExpression':
      return node.operator === '!' ? [{ mutator: 'negation', ...at(node), text: inner(node, source) }] : [];
    case 'Literal':
      return constant(node, source);
    default:
      return [];
  }
}

export function at({ start, end }: Node): { start: number; end: number } {
  return { start, end };
}

export function textOf({ start, end }: Node, source: string): string {
  return source.slice(start, end);
}

function swapOperator(node: Node, source: string): Edit[] {
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  const operator = String(node.operator);
  if (!left || !right) return [];
  const start = source.indexOf(operator, left.end);
  return (SWAPPED[operator] ?? []).map(([mutator, text]) => ({
    mutator,
    start,
    end: start + operator.length,
    text,
  }));
}

function negate(test: Node | undefined, source: string): Edit[] {
  return test ? [{ mutator: 'condition', ...at(test), text: `!(${textOf(test, source)})` }] : [];
}

function inner(node: Node, source: string): string {
  const argument = child(node, 'argument');
  return argument ? textOf(argument, source) : '';
}

function constant(node: Node, source: string): Edit[] {
  if (typeof node.value === 'boolean') return [{ mutator: 'constant', ...at(node), text: `${!node.value}` }];
  if (typeof node.value !== 'number') return [];
  const { value } = node;
  // For milliseconds, a confusion with seconds is likelier than an off-by-one.
  const text =
    value >= MILLISECONDS && value % MILLISECONDS === 0 ? `${value / MILLISECONDS}` : `${value + 1}`;
  return textOf(node, source) === text ? [] : [{ mutator: 'constant', ...at(node), text }];
}
