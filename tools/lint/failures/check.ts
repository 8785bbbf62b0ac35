import path from 'node:path';
import { type CallExpression, isCallExpression, type Node, type SourceFile } from 'typescript/unstable/ast';
import { API, type Checker } from 'typescript/unstable/sync';
import { callbacksOf, createPromiseCheck, droppedExpressions, FLOATING, MISUSED } from './floating.ts';
import { createSilenceCheck, SWALLOWED } from './silent.ts';

export interface Finding {
  /** From the root. */
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly message: string;
}

/** Walks the sources of these projects (their `tsconfig.json`) that lie under `root` and are held. */
export function findSilentFailures(
  root: string,
  projects: readonly string[],
  isHeld: (file: string) => boolean,
): Finding[] {
  const api = new API({ cwd: root });
  try {
    return projects.flatMap((config) => {
      const configFile = path.join(root, config);
      const project = api.updateSnapshot({ openProjects: [configFile] }).getProject(configFile);
      if (!project) throw new Error(`${config} is no project`);
      const { program, checker } = project;
      const check = createFileCheck(checker);
      return program
        .getSourceFileNames()
        .filter((file) => !file.includes('/node_modules/') && isHeld(path.relative(root, file)))
        .flatMap((file) => {
          const source = program.getSourceFile(file);
          return source ? check(source, path.relative(root, file)) : [];
        });
    });
  } finally {
    api.close();
  }
}

function createFileCheck(checker: Checker): (source: SourceFile, file: string) => Finding[] {
  const isPromise = createPromiseCheck(checker);
  const isSilent = createSilenceCheck(checker);
  return (source, file) => {
    const silent: Node[] = [];
    const dropped: Node[] = [];
    const calls: CallExpression[] = [];
    function visit(node: Node): void {
      if (isSilent(node)) silent.push(node);
      dropped.push(...droppedExpressions(node));
      if (isCallExpression(node)) calls.push(node);
      node.forEachChild(visit);
    }
    visit(source);
    // One question for all of them: each is a message to the compiler.
    const types = dropped.length > 0 ? checker.getTypeAtLocation(dropped) : [];
    const floating = dropped.filter((_, index) => {
      const type = types[index];
      return type !== undefined && isPromise(type);
    });
    const misused = calls.flatMap((call) => callbacksOf(call, checker, isPromise));
    return [...tell(silent, SWALLOWED), ...tell(floating, FLOATING), ...tell(misused, MISUSED)].sort(
      (one, other) => one.line - other.line,
    );

    function tell(nodes: readonly Node[], message: string): Finding[] {
      return nodes.map((node) => ({
        file,
        line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
        text: node.getText().split('\n')[0] ?? '',
        message,
      }));
    }
  };
}
