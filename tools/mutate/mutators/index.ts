import type { Edit } from './edit.ts';
import { expressionEdits } from './expressions.ts';
import { queryEdits } from './queries.ts';
import { sqlEdits } from './sql.ts';
import { statementEdits } from './statements.ts';
import { calledName, child, type Node, walk } from './syntax.ts';

export { apply, type Edit } from './edit.ts';

const MUTATORS = [expressionEdits, statementEdits, queryEdits, sqlEdits];
/** What is only written into the log may say what it likes. */
const LOGS = new Set(['debug', 'info', 'warn', 'error', 'trace']);
/** Documentation inside of a schema. */
const EXAMPLES = new Set(['example', 'examples', 'sample']);

/** All small changes of a source, in the order of their places. */
export function editsOf(path: string, source: string): Edit[] {
  const edits: Edit[] = [];
  walk(path, source, (node, around) => {
    if (around.some(isLogging) || around.some(isExample) || isName(node, around)) return;
    edits.push(...MUTATORS.flatMap((mutator) => mutator(node, source)));
  });
  return edits.sort((one, other) => one.start - other.start);
}

/** Another value would be as good an example. That it fits its schema is held by a test. */
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
