import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'rolldown';
import { expect, it, onTestFinished, vi } from 'vitest';
import { muteLibsignal } from './libsignal-log-filter.ts';

function fakeConsole() {
  return { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn(), log: vi.fn() };
}

it('drops the lines of libsignal, keys included, and no others', () => {
  const target = fakeConsole();
  const { info, warn, error, log } = target;
  const unmute = muteLibsignal(target);
  target.info('Closing session:', { privKey: 'secret' });
  target.warn('Session already closed', { privKey: 'secret' });
  target.error('Session error:Error: Bad MAC');
  target.info('Closing the shop');
  target.warn('careful', 1, 2);
  target.log(new Error('mine'));
  expect([info.mock.calls, warn.mock.calls, error.mock.calls]).toEqual([
    [['Closing the shop']],
    [['careful', 1, 2]],
    [],
  ]);
  expect(log).toHaveBeenCalledOnce();
  unmute();
  expect(target.info).toBe(info);
});

it('leaves a later replacement in place', () => {
  const target = fakeConsole();
  const unmute = muteLibsignal(target);
  const later = vi.fn();
  target.info = later;
  unmute();
  expect(target.info).toBe(later);
});

it('has every sentence of libsignal', () => {
  const folder = path.dirname(createRequire(import.meta.url).resolve('libsignal/src/curve.js'));
  const sources = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const code = sources.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('\n');
  const calls = code.split('\n').filter((line) => /^[^/]*console\.\w+\(/.test(line));
  expect(calls.length).toBeGreaterThan(8);
  const target = fakeConsole();
  const { error } = target;
  muteLibsignal(target);
  for (const call of calls) {
    const [, sentence] = /console\.\w+\((?:"([^"]+)|'([^']+))/.exec(call)?.filter(Boolean) ?? [];
    expect(sentence, call).toBeDefined();
    target.error(sentence);
  }
  expect(error).not.toHaveBeenCalled();
});

it('works in a bundle, where the origin of code is unknown', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-quiet-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const input = path.join(folder, 'input.js');
  const file = path.join(folder, 'bundle.mjs');
  writeFileSync(
    input,
    `import { SessionRecord } from ${JSON.stringify(createRequire(import.meta.url).resolve('libsignal'))};
    import { muteLibsignal } from ${JSON.stringify(path.join(import.meta.dirname, 'libsignal-log-filter.ts'))};
    if (process.argv[2] === 'muted') muteLibsignal();
    new SessionRecord().closeSession({ indexInfo: { closed: -1 }, rootKey: 'a private key' });
    console.info('hello from the gateway');`,
  );
  await build({ input, platform: 'node', logLevel: 'silent', output: { file } });
  const run = (argument: string): string =>
    execFileSync(process.execPath, [file, argument], { encoding: 'utf8' });
  expect(run('bare')).toContain('a private key');
  expect(run('muted')).toBe('hello from the gateway\n');
});
