import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSilentFailures } from './check.ts';
import { FLOATING, MISUSED } from './floating.ts';
import { SWALLOWED } from './silent.ts';

/** Exactly the lines with a comment are reported. */
const SOURCE = `
declare function work(): Promise<number>;
declare function maybe(): Promise<void> | undefined;
declare function reply(): { then(answer: () => void): void };
declare function report(error: unknown): void;
declare function expected(): void;
declare const nothingElse: () => number;
declare function expectedOnly(code: number): (error: unknown) => void;
declare function inBackground(work: Promise<unknown>): void;
declare function on(event: string, listener: (value: number) => void): void;
declare function plugin(add: (value: number) => Promise<void>): void;
declare function register(plugin: () => void): { then(done: () => void): void };
const isWanted = Math.random() > 0.5;

export async function all(): Promise<unknown> {
  await work();
  inBackground(work());
  work().catch(report);
  work().then(report, report);
  reply();
  work().catch(report).finally(() => {});
  on('d', () => work().catch(report));
  const kept = work();
  plugin(async () => {});
  register(async () => {});
  work(); // FLOATING
  void work(); // FLOATING
  maybe(); // FLOATING
  if (isWanted) void kept; // FLOATING
  isWanted && work(); // FLOATING
  isWanted ? work() : report(1); // FLOATING
  work().then(report); // FLOATING
  work().finally(() => {}); // FLOATING
  const fire = () => void work(); // FLOATING
  on('a', async () => {}); // MISUSED
  on('b', () => work()); // MISUSED
  on('c', (value) => report(value));
  work().catch(() => {}); // SWALLOWED
  work().catch(() => undefined); // SWALLOWED
  work().catch(() => { return null; }); // SWALLOWED
  work().catch(function () {}); // SWALLOWED
  work().then(report, () => ({})); // SWALLOWED
  const answer = await work().catch(() => []); // SWALLOWED
  try { await work(); } catch {} // SWALLOWED
  try { await work(); } catch { /* a comment catches nothing */ } // SWALLOWED
  try { await work(); } catch (error) {} // SWALLOWED
  try { await work(); } catch { return 0; } // SWALLOWED
  try { await work(); } catch { report(1); } // SWALLOWED
  try { await work(); } catch (error) { return { error: 0 }; } // SWALLOWED
  try { await work(); } catch ({ message }) { return fire.message; } // SWALLOWED
  work().catch(() => work()); // SWALLOWED
  work().catch((error) => { report(1); }); // SWALLOWED
  work().then(report, () => report(1)); // SWALLOWED
  work().catch(expected); // SWALLOWED
  work().catch(isWanted ? expected : nothingElse); // SWALLOWED
  work().catch(expectedOnly(1));
  work().catch(() => { throw new Error(); });
  try { await work(); } catch { throw new Error(); }
  try { await work(); } catch ({ message }) { report(message); }
  try { await work(); } catch (error) { return { error }; }
  try { await work(); } catch (error) { if (!isWanted) throw error; }
  try { await work(); } catch (error) { report(error); }
  await work().catch((error: unknown) => { report(error); return 0; });
  return [fire, answer];
}
`;
const MESSAGES = { FLOATING, MISUSED, SWALLOWED };

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-failures-')));
  const compilerOptions = { target: 'es2025', lib: ['es2025'], types: [], strict: true, noEmit: true };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  writeFileSync(path.join(folder, 'source.ts'), SOURCE);
  writeFileSync(path.join(folder, 'other.ts'), SOURCE);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('silent failures', () => {
  it('are reported on each line that has one, and on no other', () => {
    const expected = SOURCE.split('\n').flatMap((line, index) => {
      const kind = /\/\/ (FLOATING|MISUSED|SWALLOWED)$/.exec(line)?.[1] as keyof typeof MESSAGES | undefined;
      return kind ? [{ file: 'source.ts', line: index + 1, message: MESSAGES[kind] }] : [];
    });
    const found = findSilentFailures(folder, ['tsconfig.json'], (file) => file === 'source.ts');
    expect(found.map(({ file, line, message }) => ({ file, line, message }))).toEqual(expected);
  });
});
