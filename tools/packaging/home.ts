import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Fields of package.json that lead to the sources. */
interface Home {
  readonly repository: { readonly type: 'git'; readonly url: string; readonly directory: string };
  readonly homepage: string;
  readonly bugs: string;
}

/** The forge names itself to its workflows; a fork's packages lead to the fork. */
function homeOf(
  name: string,
  { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository }: NodeJS.ProcessEnv,
): Home | undefined {
  if (!server || !repository) return undefined;
  const url = `${server}/${repository}`;
  return {
    repository: { type: 'git', url: `git+${url}.git`, directory: `packages/${name}` },
    homepage: `${url}#readme`,
    bugs: `${url}/issues`,
  };
}

/** A publish with provenance is refused for a package that does not name its repository. */
export function nameHome(name: string, folder: string, env: NodeJS.ProcessEnv): void {
  const home = homeOf(name, env);
  if (!home) return;
  const file = path.join(folder, 'package.json');
  const described = { ...JSON.parse(readFileSync(file, 'utf8')), ...home };
  writeFileSync(file, `${JSON.stringify(described, null, 2)}\n`);
}
