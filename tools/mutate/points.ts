import { child, children, type Node, walk } from './mutators/syntax.ts';

/** Part of a source that runs, or does not, as a whole: a statement, the value of an arrow function, a branch of an expression. */
export interface Point {
  readonly start: number;
  readonly end: number;
  /** Whether braces or brackets go around it, because only one statement or expression may stand there. */
  readonly around: 'statement' | 'expression' | undefined;
}

/** Statement at the top of a module, with the names that it declares. */
interface TopLevel {
  readonly start: number;
  readonly end: number;
  readonly names: readonly string[];
  /** Its value is made when the module is loaded, other than a function's or a class's. */
  readonly isConstant: boolean;
}

export interface SourceMap {
  /** In the order of their places; the index of a point is its number. */
  readonly points: readonly Point[];
  readonly topLevel: readonly TopLevel[];
  /** Places of each identifier. */
  readonly uses: ReadonlyMap<string, readonly number[]>;
  /** Imported names, with their names here. */
  readonly imported: ReadonlyMap<string, string>;
}

const LOOPS = new Set([
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
]);
/** Declarations do nothing where they stand. */
const DECLARATIONS = new Set(['FunctionDeclaration', 'ClassDeclaration', 'EmptyStatement']);
const IMPORTED = /(?:^|\n)\s*(?:import|export)\s+(?:\w+\s*,\s*)?\{([^}]*)\}\s*from/g;

export function mapSource(path: string, source: string): SourceMap {
  const points: Point[] = [];
  const topLevel: TopLevel[] = [];
  const uses = new Map<string, number[]>();
  walk(path, source, (node, [parent]) => {
    if (parent?.type === 'Program') topLevel.push(describeTop(node));
    if (node.type === 'Identifier') {
      const places = uses.get(String(node.name));
      if (places) places.push(node.start);
      else uses.set(String(node.name), [node.start]);
    }
    points.push(...pointsIn(node));
  });
  points.sort((one, other) => one.start - other.start || other.end - one.end);
  return { points, topLevel, uses, imported: importedIn(source) };
}

/** Number of the innermost point around a place. */
export function pointAt({ points }: Pick<SourceMap, 'points'>, place: number): number | undefined {
  let found: number | undefined;
  // A later point that contains the place is inside of the earlier one.
  for (const [number, { start, end }] of points.entries()) if (start <= place && place < end) found = number;
  return found;
}

/** Source that calls `hit` with the number of each point before the point runs. Its lines keep their numbers. */
export function instrument(source: string, points: readonly Point[], hit: string): string {
  const insertions = points.flatMap(({ start, end, around }, number) => {
    const call = `${hit}(${number})`;
    if (around === undefined) return [{ at: start, order: number, text: `${call};` }];
    const [open, close] = around === 'statement' ? [`{${call};`, '}'] : [`(${call},`, ')'];
    // Inner ends come before outer ones, and ends before beginnings.
    return [
      { at: start, order: number, text: open },
      { at: end, order: -number - 1, text: close },
    ];
  });
  insertions.sort((one, other) => one.at - other.at || one.order - other.order);
  let [text, from] = ['', 0];
  for (const insertion of insertions) {
    text += source.slice(from, insertion.at) + insertion.text;
    from = insertion.at;
  }
  return text + source.slice(from);
}

function pointsIn(node: Node): Point[] {
  switch (node.type) {
    case 'BlockStatement':
    case 'StaticBlock':
      return children(node, 'body').filter(isDoing).map(plain);
    case 'SwitchCase':
      return children(node, 'consequent').filter(isDoing).map(plain);
    case 'IfStatement':
      return [child(node, 'consequent'), child(node, 'alternate')].flatMap(single);
    case 'ArrowFunctionExpression':
      return [child(node, 'body')].flatMap((body) =>
        body?.type === 'BlockStatement' ? [] : expression(body),
      );
    case 'ConditionalExpression':
      return [child(node, 'consequent'), child(node, 'alternate')].flatMap(expression);
    case 'LogicalExpression':
      return expression(child(node, 'right'));
    default:
      return LOOPS.has(node.type) ? single(child(node, 'body')) : [];
  }
}

function isDoing({ type }: Node): boolean {
  return !DECLARATIONS.has(type) && !type.startsWith('TS');
}

function plain({ start, end }: Node): Point {
  return { start, end, around: undefined };
}

function single(node: Node | undefined): Point[] {
  if (!node || node.type === 'BlockStatement' || node.type === 'EmptyStatement') return [];
  return [{ start: node.start, end: node.end, around: 'statement' }];
}

function expression(node: Node | undefined): Point[] {
  return node ? [{ start: node.start, end: node.end, around: 'expression' }] : [];
}

function describeTop(statement: Node): TopLevel {
  const { start, end } = statement;
  const declared = child(statement, 'declaration') ?? statement;
  const ids = [declared, ...children(declared, 'declarations')].map((each) => child(each, 'id'));
  const names = ids.flatMap((id) => (id ? boundIn(id) : []));
  return { start, end, names, isConstant: declared.type === 'VariableDeclaration' };
}

function boundIn(pattern: Node): string[] {
  if (pattern.type === 'Identifier') return [String(pattern.name)];
  const parts = [...children(pattern, 'properties'), ...children(pattern, 'elements')];
  return parts.flatMap((part) => boundIn(child(part, 'value') ?? part));
}

function importedIn(source: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const [, list = ''] of source.matchAll(IMPORTED))
    for (const item of list.split(',')) {
      const [name = '', here = name] = item
        .trim()
        .replace(/^type\s+/, '')
        .split(/\s+as\s+/);
      if (name) names.set(name, here);
    }
  return names;
}
