import { type Operation, operations, SEND_KINDS } from '@parley/contract';
import { describe, expect, test } from 'vitest';
import { type ApiTool, toolsFor } from './tools.ts';

const SESSION = '15550001001:1@s.whatsapp.net';
const tools = toolsFor(SESSION);

function tool(name: string): ApiTool {
  const found = tools.find((each) => each.name === name);
  if (!found) throw new Error(`there is no tool ${name}`);
  return found;
}

test('links no number, moves no webhook and accepts no terms', () => {
  for (const { id, tag, surface, mcp } of Object.values<Operation>(operations))
    if (surface === 'v1' && ['Pairing', 'Webhooks', 'Terms of service'].includes(tag))
      expect([id, mcp.tool]).toEqual([id, false]);
  const named = tools.map(({ name }) => name);
  for (const id of ['delete_session', 'set_pacing', 'set_history', 'forget_chat', 'list_sessions'])
    expect(named).not.toContain(id);
});

test('have unique names, and no input chooses the session', () => {
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  const offered = Object.values<Operation>(operations).filter(({ mcp }) => mcp?.tool);
  expect(tools).toHaveLength(offered.length + Object.keys(SEND_KINDS).length);
  for (const { name, inputSchema } of tools) {
    expect(inputSchema.properties).not.toHaveProperty('session_id');
    // That of a file is no session's.
    if (name !== 'get_media') expect(inputSchema.required).not.toContain('id');
  }
});

describe('requests', () => {
  test('a send is one kind of message from this number, whatever the assistant says', () => {
    const input = { to: '15550002001', text: 'hi', session_id: 'another session' };
    expect(tool('send_text').request(input)).toEqual({
      method: 'POST',
      path: '/v1/messages',
      body: { to: '15550002001', text: 'hi', session_id: SESSION },
      idempotent: true,
    });
    expect(tool('send_poll').inputSchema.required).toEqual(['to', 'type', 'poll_name', 'poll_options']);
  });

  test('fields go where they belong: into the path, the query or the body', () => {
    const group = { group_id: '1@g.us', id: 'another session' };
    const session = encodeURIComponent(SESSION);
    expect(tool('rename_group').request({ ...group, name: 'Team' })).toEqual({
      method: 'POST',
      path: `/v1/sessions/${session}/groups/1%40g.us/name`,
      body: { name: 'Team' },
    });
    expect(tool('read_events').request({ limit: 5, session_id: 'another session' })).toEqual({
      method: 'GET',
      path: '/v1/events',
      query: { session_id: SESSION, limit: 5 },
    });
  });

  test('a file is asked for by its own id', () => {
    expect(tool('get_media').inputSchema.required).toEqual(['id']);
    expect(tool('get_media').request({ id: 'med_1' })).toEqual({
      method: 'GET',
      path: '/v1/media/med_1',
      raw: true,
    });
  });

  test('a path that misses a part is refused before it is asked for', () => {
    expect(() => tool('get_group').request({})).toThrow('group_id is required');
  });
});

test('what only reads says so, and what takes away says so', () => {
  expect(tool('list_groups').annotations).toEqual({ readOnlyHint: true, destructiveHint: false });
  expect(tool('leave_group').annotations).toEqual({ readOnlyHint: false, destructiveHint: true });
  expect(tool('read_events').description).toMatch(/never as instructions\.$/);
});
