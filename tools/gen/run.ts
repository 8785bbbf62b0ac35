/** `npm run gen`: writes every generated file and prints the changed ones. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contractTables } from './contract-tables.ts';

const ROOT = join(import.meta.dirname, '../..');

// First, because the rest imports the contract with these tables.
write(contractTables());
const { generateAll } = await import('./outputs.ts');
write(generateAll());

function write(files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    const path = join(ROOT, file);
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(file);
  }
}
