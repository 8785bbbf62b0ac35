import { join } from 'node:path';
// A persistent checker answers in milliseconds; only the compiler's unstable API provides one.
import { API } from 'typescript/unstable/sync';

/** Errors about unused names, which a dropped statement leaves behind. */
const UNUSED = new Set([6133, 6138, 6192, 6196, 6198, 6199, 7027, 7028]);

export interface TypeCheck {
  /** Whether the file compiles with this text. */
  compiles(file: string, text: string): boolean;
  close(): void;
}

/** Checks changed texts without writing them. */
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
