import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Recipe } from './recipe.ts';

export interface Applied {
  readonly recipe: Recipe;
  readonly edited: readonly string[];
  /** Files that `npm run gen` changed after the edits. */
  readonly generated: readonly string[];
}

/** Edits the files of a recipe in memory, so that a recipe that fails leaves the copy as it was. */
function editedFiles(recipe: Recipe, root: string): ReadonlyMap<string, string> {
  return new Map(
    recipe.edits.map(({ file, changes }) => {
      const path = join(root, file);
      let text = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
      for (const change of changes) {
        try {
          text = change(text);
        } catch (error) {
          throw new Error(`The recipe “${recipe.name}” cannot change ${file}: ${String(error)}`);
        }
      }
      return [file, text ?? ''];
    }),
  );
}

/** Applies the edits of a recipe to a copy of the repository, and runs the generators there. */
export function applyRecipe(recipe: Recipe, root: string): Applied {
  for (const [file, text] of editedFiles(recipe, root)) {
    const path = join(root, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const printed = execFileSync(process.execPath, ['tools/gen/run.ts'], { cwd: root, encoding: 'utf8' });
  return {
    recipe,
    edited: recipe.edits.map(({ file }) => file),
    generated: printed.split('\n').filter(Boolean),
  };
}

/** List of a recipe's files for CONTRIBUTING.md. */
function listFiles({ recipe, generated }: Applied): string {
  const rows = [
    ...recipe.edits.map(({ file, note }) => [file, note] as const),
    ...generated.map((file) => [file, 'npm run gen'] as const),
  ];
  const width = Math.max(...rows.map(([file]) => file.length));
  return [recipe.subject, '', ...rows.map(([file, note]) => ` ${file.padEnd(width)}   ${note}`)].join('\n');
}

/** CONTRIBUTING.md with this list as the first block under the recipe's heading. */
export function withList(page: string, applied: Applied): string {
  const heading = `\n### ${applied.recipe.heading}\n`;
  const [before, section, another] = page.split(heading);
  if (section === undefined || another !== undefined)
    throw new Error(`CONTRIBUTING.md has no section “${applied.recipe.heading}”`);
  const block = /(?<=^```\n).*?(?=\n```$)/ms;
  return before + heading + section.replace(block, () => listFiles(applied));
}
