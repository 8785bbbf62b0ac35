import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { completion } from './completion.ts';
import { COMMANDS } from './run.ts';
import type { Terminal } from './terminal.ts';

function scriptFor(shell: string): string {
  let script = '';
  const terminal = { show: (_: object, text: () => string) => (script = text()) } as unknown as Terminal;
  completion(shell, COMMANDS, terminal);
  return script;
}

/** What bash offers behind a line of words; the last one is only begun. */
function offered(line: string): string[] {
  const words = line.split(' ');
  const ask = `
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
    _parley; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', `${scriptFor('bash')}\n${ask}`], { encoding: 'utf8' })
    .trim()
    .split('\n');
}

describe('bash', () => {
  test.each([
    ['parley acc', ['account']],
    ['parley account cr', ['create']],
    ['parley send --i', ['--image', '--id']],
    ['parley send 15550002001 --w', ['--wait']],
    ['parley device add acc_1 15550001001 --plan p', ['pro', 'partner']],
    ['parley listen --kind poll', ['poll_vote']],
    ['parley completion f', ['fish']],
    ['parley send --from x', ['']],
  ])('%s', (line, words) => {
    expect(offered(line)).toEqual(words);
  });

  test('offers every command at the beginning', () => {
    const first = new Set(COMMANDS.map(({ spec }) => spec.name.split(' ')[0]));
    expect(new Set(offered('parley '))).toEqual(new Set([...first, 'help']));
  });
});

describe.each(['bash', 'zsh', 'fish'])('%s', (shell) => {
  const isInstalled = spawnSync(shell, ['-c', 'true']).status === 0;
  test.skipIf(!isInstalled)('finds no mistake in its script', () => {
    const { stderr } = spawnSync(shell, ['-n'], { input: scriptFor(shell), encoding: 'utf8' });
    expect(stderr).toBe('');
  });
});

test('every command and option is in every script', () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const script = scriptFor(shell);
    for (const { spec } of COMMANDS) {
      for (const word of spec.name.split(' ')) expect(script).toContain(word);
      for (const name of Object.keys(spec.options ?? {}))
        expect(script).toMatch(new RegExp(`-l ${name}|--${name}`));
    }
  }
});
