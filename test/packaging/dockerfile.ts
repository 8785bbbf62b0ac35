import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** The result of a Dockerfile's last stage: a folder in place of the image's file system, and how to run it. */
export interface Image {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
}

interface Stage {
  readonly folder: string;
  readonly environment: Record<string, string>;
  command: string[];
  healthcheck: string[];
}

export interface BuildOptions {
  /** The build context, already filtered by `.dockerignore`. */
  readonly context: string;
  /** Each stage gets a folder in here. */
  readonly workspace: string;
  /** Replaces the program of the base image. */
  readonly searchPath: string;
}

/**
 * Runs a Dockerfile without Docker, as far as ours needs: each stage is a folder that stands for its working directory, and
 * programs run with the Node.js of this machine. Users, volumes and ports are ignored.
 */
export function build(file: string, { context, workspace, searchPath }: BuildOptions): Image {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  const current = (): Stage => {
    if (!stage) throw new Error('FROM comes first');
    return stage;
  };

  const instructions: Record<string, (words: string) => void> = {
    FROM(words) {
      const [base = '', name = `${stages.size}`] = words.split(/\s+AS\s+/);
      const parent = stages.get(base);
      const folder = path.join(workspace, name);
      mkdirSync(folder, { recursive: true });
      if (parent) cpSync(parent.folder, folder, { recursive: true, verbatimSymlinks: true });
      stage = { folder, environment: { ...parent?.environment }, command: [], healthcheck: [] };
      stages.set(name, stage);
    },
    LABEL() {},
    WORKDIR() {},
    ENV(words) {
      const [name = '', value = ''] = words.split('=');
      current().environment[name] = value;
    },
    COPY(words) {
      const parts = words.split(' ');
      const from = /^--from=(.*)$/.exec(parts[0] ?? '')?.[1];
      const [target = '', ...sources] = parts.slice(from === undefined ? 0 : 1).reverse();
      const origin = from === undefined ? context : (stages.get(from)?.folder ?? '');
      for (const source of sources)
        copy(
          path.join(origin, source.replace(/^\/app/, '.')),
          path.join(current().folder, target),
          target.endsWith('/'),
        );
    },
    RUN(words) {
      // Users of the image do not exist on this machine.
      if (words.includes('-o node')) return;
      // The environment has this machine's access to the package registry.
      const env = { ...process.env, PATH: searchPath, ...current().environment };
      const { status, stdout, stderr } = spawnSync('sh', ['-c', words], {
        cwd: current().folder,
        env,
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`${words} ended with ${status}:\n${stdout}${stderr}`);
    },
    HEALTHCHECK(words) {
      current().healthcheck = JSON.parse(words.slice(words.indexOf('CMD ') + 'CMD '.length));
    },
    ENTRYPOINT(words) {
      current().command = JSON.parse(words);
    },
    CMD(words) {
      current().command.push(...JSON.parse(words));
    },
    USER() {},
    VOLUME() {},
    EXPOSE() {},
  };

  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name = '', words = ''] = /^(\w+) (.*)$/.exec(line) ?? [];
    const carryOut = instructions[name];
    if (!carryOut) throw new Error(`This does not know ${name}: ${line}`);
    carryOut(words);
  }
  return current();
}

/** A folder's content goes into the target, as with Docker; a file keeps its name where the target is a folder. */
function copy(source: string, target: string, targetIsFolder: boolean): void {
  if (!existsSync(source)) throw new Error(`There is no ${source} to copy.`);
  const goesInside =
    !statSync(source).isDirectory() &&
    (targetIsFolder || (existsSync(target) && statSync(target).isDirectory()));
  cpSync(source, goesInside ? path.join(target, path.basename(source)) : target, {
    recursive: true,
    verbatimSymlinks: true,
  });
}
