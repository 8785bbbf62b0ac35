import { spawnSync } from 'node:child_process';
import { type Operation, operations, SEND_KINDS } from '@parley/contract';
import { describe, expect, test } from 'vitest';
import { curlOf } from './request.ts';

const baseUrl = 'https://gateway.example.com';

/** Arguments that curl would get from a shell into which the command is pasted. */
function argumentsOf(command: string): string[] {
  const shell = spawnSync('sh', ['-c', `curl() { for each; do printf '%s\\0' "$each"; done; }\n${command}`], {
    env: { PARLEY_API_KEY: 'pk_1_secret', PARLEY_OPERATOR_TOKEN: 'operator-secret' },
    encoding: 'utf8',
  });
  expect(shell.stderr).toBe('');
  return shell.stdout.split('\0').slice(0, -1);
}

describe('a pasted command', () => {
  test('sends the method, the headers and the body', () => {
    const command = curlOf(operations.sendMessage, { baseUrl, body: SEND_KINDS.poll.example });
    const given = argumentsOf(command);
    expect(given.slice(0, -1)).toEqual([
      '-X',
      'POST',
      'https://gateway.example.com/v1/messages',
      '-H',
      'Authorization: Bearer pk_1_secret',
      '-H',
      'Idempotency-Key: order-1042',
      '-H',
      'Content-Type: application/json',
      '-d',
    ]);
    expect(JSON.parse(given.at(-1) ?? '')).toEqual(SEND_KINDS.poll.example);
  });

  test('encodes the @ of a JID in the path', () => {
    expect(argumentsOf(curlOf(operations.getGroup, { baseUrl }))[0]).toBe(
      'https://gateway.example.com/v1/sessions/15550001001:1%40s.whatsapp.net/groups/120363041234567890%40g.us',
    );
  });

  test('keeps quotes, dollars and line breaks in the body', () => {
    const body = { text: `it's $HOME, "quoted" \`id\`\nand more` };
    const given = argumentsOf(curlOf(operations.sendMessage, { baseUrl, body }));
    expect(JSON.parse(given.at(-1) ?? '')).toEqual(body);
  });

  test('uses the secret of its surface, or none', () => {
    const joined = (operation: Operation) => argumentsOf(curlOf(operation, { baseUrl })).join(' ');
    expect(joined(operations.listAccounts)).toContain('Bearer operator-secret');
    expect(joined(operations.getHealth)).toBe('https://gateway.example.com/healthz');
  });
});
