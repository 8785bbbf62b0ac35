import { strict as assert } from 'node:assert';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { openHarness } from './harness.ts';
import { launcher } from './parley.ts';
import type { Cases } from './run-cases.ts';

const ADA = '15550002001';

interface Result {
  readonly isError?: boolean | undefined;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
}

/** An assistant, with the official client. */
async function assistant(env: Record<string, string>, ...args: string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [launcher, 'mcp', ...args],
    env,
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  const use = async <T = unknown>(name: string, input: Record<string, unknown>): Promise<T> => {
    const result = (await client.callTool({ name, arguments: input })) as Result;
    assert.ok(!result.isError, result.content[0]?.text);
    return result.structuredContent as T;
  };
  const refusal = async (name: string, input: Record<string, unknown>): Promise<string> => {
    const { isError, content } = (await client.callTool({ name, arguments: input })) as Result;
    assert.equal(isError, true);
    return content[0]?.text ?? '';
  };
  return { client, use, refusal };
}

export const mcpCases: Cases = {
  async 'an assistant writes and reads with a key that is restricted to one number'() {
    const { gateway, demoAccount, env, json, eventually, onPhone } = await openHarness();
    const key = await json<{ api_key: string }>(
      ...['key', 'create', demoAccount, 'assistant', '--phone', '15550001001'],
      ...[
        '--permission',
        'messages',
        '--permission',
        'sessions',
        '--permission',
        'groups',
        '--permission',
        'webhooks',
      ],
    );
    const { client, use, refusal } = await assistant({ ...env, PARLEY_API_KEY: key.api_key });
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    for (const name of ['send_text', 'send_poll', 'create_group', 'read_events', 'get_message'])
      assert.ok(names.includes(name), name);
    for (const name of ['delete_session', 'create_webhook', 'start_qr_pairing'])
      assert.ok(!names.includes(name), name);

    const { message_id } = await use<{ message_id: string }>('send_text', {
      to: ADA,
      text: 'Hello from an assistant',
    });
    await eventually(
      async () => (await use<{ status: string }>('get_message', { message_id })).status === 'delivered',
    );
    const { jid } = await use<{ jid: string }>('create_group', {
      name: 'Plans',
      participants: [`${ADA}@s.whatsapp.net`],
    });
    assert.match(jid, /@g\.us$/);
    await onPhone(`/phones/${ADA}/messages`, { to: '15550001001', text: 'When?' });
    await eventually(async () => {
      const { events } = await use<{ events: { event: { text?: string } }[] }>('read_events', {
        kind: 'message',
        limit: 50,
      });
      return events.some(({ event }) => event.text === 'When?');
    });

    assert.match(await refusal('send_text', { to: ADA, txt: 'typo' }), /txt/);
    assert.match(await refusal('get_group', {}), /group_id is required/);
    assert.match(await refusal('list_contacts', {}), /api key lacks permission contacts/);
    assert.match(await refusal('no_such_tool', {}), /there is no tool no_such_tool/);
    await client.close();
    assert.equal((await fetch(`${gateway.url}/healthz`)).status, 200);
  },

  async 'a read-only assistant has no tool that changes anything'() {
    const { env } = await openHarness();
    const { client } = await assistant(env, '--read-only');
    const { tools } = await client.listTools();
    assert.ok(tools.length > 5);
    assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
    await client.close();
  },
};
