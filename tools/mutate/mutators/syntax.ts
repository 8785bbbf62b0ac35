import { parseAst } from 'rolldown/parseAst';

/** Node of the syntax tree with its place in the source. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** A node and its ancestors, nearest first. */
export type Visit = (node: Node, around: readonly Node[]) => void;

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

export function child(node: Node, field: string): Node | undefined {
  const value = node[field];
  return isNode(value) ? value : undefined;
}

export function children(node: Node, field: string): readonly Node[] {
  const value = node[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Last name of a callee: `log.info(…)` and `info(…)` are calls of `info`. */
export function calledName(call: Node): string {
  const callee = child(call, 'callee');
  const name = callee?.type === 'MemberExpression' ? child(callee, 'property') : callee;
  return String(name?.name ?? '');
}

/** Visits nodes with a run-time effect, without types, imports and re-exports. */
export function walk(path: string, source: string, visit: Visit): void {
  const lang = path.endsWith('x') ? 'tsx' : 'ts';
  const program: unknown = parseAst(source, { lang }, path);
  if (isNode(program)) descend(program, [], visit);
}

/** Expressions with a type annotation. */
const TYPED = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);

function descend(node: Node, around: readonly Node[], visit: Visit): void {
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return;
  if (node.type.startsWith('TS') && !TYPED.has(node.type)) return;
  visit(node, around);
  for (const value of Object.values(node))
    for (const each of Array.isArray(value) ? value : [value])
      if (isNode(each)) descend(each, [node, ...around], visit);
}
