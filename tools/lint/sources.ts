import path from 'node:path';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import { API, type Project } from 'typescript/unstable/sync';

export interface Finding {
  /** From the root. */
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly message: string;
}

/** Findings of a file by their nodes. */
export type CheckFile = (
  source: SourceFile,
  file: string,
) => readonly (readonly [node: Node, message: string])[];

/** Checks the selected sources below `root` of these projects (their `tsconfig.json`). */
export function checkSources(
  root: string,
  projects: readonly string[],
  isHeld: (file: string) => boolean,
  createCheck: (project: Project) => CheckFile,
): Finding[] {
  const api = new API({ cwd: root });
  try {
    return projects.flatMap((config) => {
      const configFile = path.join(root, config);
      const project = api.updateSnapshot({ openProjects: [configFile] }).getProject(configFile);
      if (!project) throw new Error(`${config} is no project`);
      const check = createCheck(project);
      return project.program
        .getSourceFileNames()
        .filter((name) => !name.includes('/node_modules/') && isHeld(path.relative(root, name)))
        .flatMap((name) => {
          const source = project.program.getSourceFile(name);
          const file = path.relative(root, name);
          return source ? findingsOf(source, file, check(source, file)) : [];
        });
    });
  } finally {
    api.close();
  }
}

function findingsOf(source: SourceFile, file: string, found: ReturnType<CheckFile>): Finding[] {
  return found
    .map(([node, message]) => ({
      file,
      line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
      text: node.getText().split('\n')[0] ?? '',
      message,
    }))
    .sort((one, other) => one.line - other.line);
}

/** Exits with an error when there is a finding. */
export function report(found: readonly Finding[]): void {
  for (const { file, line, text, message } of found)
    process.stderr.write(`${file}:${line}  ${text}\n  ${message}\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
