import { isSignOfComparator, isTestOfTwoWays } from './comparators.ts';
import type { Edit } from './edit.ts';
import { expressionEdits } from './expressions.ts';
import { queryEdits } from './queries.ts';
import { sqlEdits } from './sql.ts';
import { statementEdits } from './statements.ts';
import { calledName, child, type Node, walk } from './syntax.ts';

export { apply, type Edit } from './edit.ts';

const MUTATORS = [expressionEdits, statementEdits, queryEdits, sqlEdits];
/** Arguments of log calls are not mutated. */
const LOGS = new Set(['debug', 'info', 'warn', 'error', 'trace']);
/** Documentation inside of a schema. */
const EXAMPLES = new Set(['example', 'examples', 'sample']);

/** All mutations of a source, in the order of their places. */
export function editsOf(path: string, source: string): Edit[] {
  const edits: Edit[] = [];
  walk(path, source, (node, around) => {
    if (around.some(isLogging) || around.some(isExample) || isName(node, around)) return;
    if (isSignOfComparator(node, around)) return;
    const found = MUTATORS.flatMap((mutator) => mutator(node, source));
    edits.push(
      ...(isTestOfTwoWays(node, around) ? found.filter(({ mutator }) => mutator !== 'boundary') : found),
    );
  });
  return edits.sort((one, other) => one.start - other.start);
}

/** Examples are not mutated: other values would be equally good, and a test checks them against their schema. */
function isExample(node: Node): boolean {
  return node.type === 'Property' && EXAMPLES.has(String(child(node, 'key')?.name));
}

function isLogging(node: Node): boolean {
  if (node.type !== 'CallExpression' || !LOGS.has(calledName(node))) return false;
  const callee = node.callee as Node;
  return callee.type === 'MemberExpression';
}

/** A key of an object is no constant. */
function isName(node: Node, [parent]: readonly Node[]): boolean {
  return parent?.key === node && parent.computed !== true;
}
