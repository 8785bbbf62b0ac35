import { isCallExpression, isPropertyAccessExpression, type Node } from 'typescript/unstable/ast';
import type { Project } from 'typescript/unstable/sync';
import { type CheckFile, checkSources, type Finding } from '../sources.ts';
import { earlyReturns, workOf } from './cases.ts';
import { createExpectationsCheck, expectationsIn } from './expectations.ts';
import { createSleepCheck, isBetweenLooks } from './sleeps.ts';

export const EXPECTS_NOTHING =
  'This case expects nothing, so it cannot fail. Say what must hold, here or in a helper (CONTRIBUTING, "Tests").';
export const MOCKS_ONLY =
  'All that this case expects is about mocks. Let the real part run and look at what it brings about (CONTRIBUTING, "Tests").';
export const ENDS_EARLY =
  'This case passes where it did nothing. Say so with runIf or skipIf, which the report shows (CONTRIBUTING, "Tests").';
export const REPLACES =
  'Modules of our own are not replaced in tests: give the part another dependency, or let the real one run (CONTRIBUTING, "Tests").';
export const SLEEPS =
  'This waits for the machine. Step the clock, await the event, or poll with a bound; what only paces is named in tools/lint/tests/pacing.ts.';

export const PACES_NOTHING =
  'This file does not wait for the machine: take it out of tools/lint/tests/pacing.ts.';

export interface Held {
  /** Test files, and modules that define cases or help them: no sleep at all. */
  readonly isTest: (file: string) => boolean;
  /** Programs that test the whole system: they may sleep in loops. */
  readonly isScript: (file: string) => boolean;
  readonly mayPace: (file: string) => boolean;
}

export function findWeakTests(root: string, projects: readonly string[], held: Held): Finding[] {
  const isHeld = (file: string) => held.isTest(file) || held.isScript(file);
  return checkSources(root, projects, isHeld, (project) => createFileCheck(project, held));
}

function createFileCheck(project: Project, { isTest, mayPace }: Held): CheckFile {
  const expectsOf = createExpectationsCheck(project);
  const isSleep = createSleepCheck(project);
  return (source, file) => {
    const found: [Node, string][] = [];
    const sleeps: Node[] = [];
    function visit(node: Node): void {
      const work = workOf(node);
      if (work) {
        const expects = expectsOf(work);
        if (expects === 'nothing') found.push([node, EXPECTS_NOTHING]);
        if (expects === 'mocks') found.push([node, MOCKS_ONLY]);
        for (const each of earlyReturns(work, expectationsIn(work))) found.push([each, ENDS_EARLY]);
      }
      if (isCallExpression(node)) {
        if (replacesModule(node.expression)) found.push([node, REPLACES]);
        if (isSleep(node) && (isTest(file) || !isBetweenLooks(node))) sleeps.push(node);
      }
      node.forEachChild(visit);
    }
    visit(source);
    if (!mayPace(file)) found.push(...sleeps.map((node): [Node, string] => [node, SLEEPS]));
    else if (sleeps.length === 0) found.push([source, PACES_NOTHING]);
    return found;
  };
}

/** Also in packages. */
function replacesModule(callee: Node): boolean {
  return (
    isPropertyAccessExpression(callee) &&
    callee.expression.getText() === 'vi' &&
    (callee.name.text === 'mock' || callee.name.text === 'doMock')
  );
}
