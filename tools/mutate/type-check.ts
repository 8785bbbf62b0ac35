import { join } from 'node:path';
// A checker that stays answers in milliseconds; only the compiler's API, which is not settled yet, keeps one.
import { API } from 'typescript/unstable/sync';

/** Left over by what was dropped: nothing that would keep the program from running. */
const UNUSED = new Set([6133, 6138, 6192, 6196, 6198, 6199, 7027, 7028]);

export interface TypeCheck {
  /** Whether the file would compile with this text. */
  compiles(file: string, text: string): boolean;
  close(): void;
}

/** Looks at sources as if they were changed, and changes none. */
export function openTypeCheck(root: string): TypeCheck {
  const changed = new Map<string, string>();
  const api = new API({ cwd: root, fs: { readFile: (path) => changed.get(path) } });
  const opened = new Set<string>();
  return {
    compiles(file, text) {
      const path = join(root, file);
      const config = join(
        root,
        file.startsWith('packages/portal/') ? 'packages/portal' : '',
        'tsconfig.json',
      );
      const openProjects = opened.has(config) ? [] : [config];
      opened.add(config);
      changed.set(path, text);
      const snapshot = api.updateSnapshot({ openProjects, fileChanges: { changed: [path] } });
      try {
        const program = snapshot.getProject(config)?.program;
        if (!program) throw new Error(`${config} is no project.`);
        const found = [...program.getSyntacticDiagnostics(path), ...program.getSemanticDiagnostics(path)];
        return found.every(({ code }) => UNUSED.has(code));
      } finally {
        changed.delete(path);
        api.updateSnapshot({ fileChanges: { changed: [path] } }).dispose();
        snapshot.dispose();
      }
    },
    close: () => api.close(),
  };
}
