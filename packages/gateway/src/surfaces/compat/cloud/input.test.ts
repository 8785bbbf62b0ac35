import type { Device } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseNames, moveIn, OPERATOR_TOKEN, startGateway, type Tenant, type TestGateway } from '#testing';
import { formatWamid } from './ids.ts';

const ADA = '15550002001';

describe.each(databaseNames)('input of the Cloud API (%s)', (database) => {
  let gateway: TestGateway;
  let tenant: Tenant;
  let waba: string;
  beforeAll(async () => {
    gateway = await startGateway({
      database,
      environment: { PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN, PARLEY_COMPAT: 'cloud', PARLEY_DEMO: 'off' },
    });
    tenant = await moveIn(gateway);
    const token = await ask('GET', `/debug_token?input_token=${tenant.apiKey}`);
    waba = token.body.data.granular_scopes[0].target_ids[0];
  });
  afterAll(() => gateway.close());

  async function ask(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) {
    const url = `/cloud${path}`;
    const answer = await gateway.request({
      method,
      url,
      key: tenant.apiKey,
      ...(body !== undefined && { body }),
    });
    const code = answer.headers['x-error-code'];
    return { status: answer.statusCode, body: JSON.parse(answer.body), code };
  }
  const send = (message: object) =>
    ask('POST', `/${tenant.phone}/messages`, { messaging_product: 'whatsapp', to: ADA, ...message });
  const refusal = { status: 400, body: { error: { code: 100, type: 'OAuthException' } } };

  it('accepts objects and lists as JSON in a text', async () => {
    // The number is not linked, so valid input gets that error.
    const linked = { status: 400, body: { error: { code: 133010 } } };
    expect(await send({ text: { body: 'Hi' } })).toMatchObject({ ...linked, code: 'session_not_hosted' });
    expect(await send({ text: '{"body":"Hi"}' })).toMatchObject(linked);
    const contacts = JSON.stringify([{ name: '{"formatted_name":"Ben"}' }]);
    expect(await send({ type: 'contacts', contacts })).toMatchObject(linked);
    expect(await send({ text: '{"body":' })).toMatchObject(refusal);
    expect(await send({ text: '{"body":7}' })).toMatchObject(linked);
  });

  it.each([
    ['NUL', '\\u0000'],
    ['half a character', '\\ud800'],
  ])('refuses %s inside such a text', async (_what, escaped) => {
    expect(await send({ text: `{"body":"a${escaped}b"}` })).toMatchObject(refusal);
    expect(
      await send({ type: 'template', template: `{"name":"a${escaped}","language":{"code":"en"}}` }),
    ).toMatchObject(refusal);
  });

  it('refuses NUL within the id of a message', async () => {
    for (const ref of [
      { id: 'A\0B', chat: `${ADA}@s.whatsapp.net` },
      { id: 'A', chat: '1\u0000@g.us' },
    ]) {
      const message_id = formatWamid({ fromMe: false, ...ref });
      expect(await send({ status: 'read', message_id }), ref.id).toMatchObject({
        status: 400,
        body: { error: { type: 'OAuthException' } },
      });
      expect(await send({ text: { body: 'x' }, context: { message_id } })).toMatchObject({ status: 400 });
    }
  });

  it('refuses deeper nesting than any field has, in JSON texts too', async () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    const template = { name: 'deep', language: 'en', category: 'UTILITY' };
    const body = (example: string) =>
      `{"name":"deep","language":"en","components":[{"type":"BODY","text":"Hi","unknown":${example}}]}`;
    expect(await ask('POST', `/${waba}/message_templates`, body(deep(20)))).toMatchObject({ status: 200 });
    for (const levels of [100, 30_000])
      expect(await ask('POST', `/${waba}/message_templates`, body(deep(levels)))).toMatchObject(refusal);
    const components = `[{"type":"BODY","text":"Hi","unknown":${deep(20_000)}}]`;
    expect(await ask('POST', `/${waba}/message_templates`, { ...template, components })).toMatchObject(
      refusal,
    );
    await ask('DELETE', `/${waba}/message_templates?name=deep`);
  });

  it.each([
    ['to', { to: 'x'.repeat(129), text: { body: 'x' } }],
    ['text.body', { text: { body: 'x'.repeat(65_537) } }],
    ['interactive.action.buttons', { interactive: { action: { buttons: Array(4).fill({}) } } }],
    [
      'template.components[0].parameters',
      { template: { components: [{ parameters: Array(101).fill({}) }] } },
    ],
    ['contacts', { contacts: Array(11).fill({}) }],
    ['image', { image: ['x'] }],
    ['location.latitude', { location: { latitude: {} } }],
  ])('refuses %s by its name when it is too long or of another type', async (field, message) => {
    const { status, body } = await send(message);
    expect([status, body.error.code]).toEqual([400, 100]);
    expect(body.error.error_data.details).toContain(`Param ${field} `);
  });

  it('lists templates in pages that reach all of them', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'].map((suffix) => `t_${suffix}`);
    for (const name of names)
      for (const language of ['de', 'en'])
        await ask('POST', `/${waba}/message_templates`, {
          ...{ name, language },
          components: [{ type: 'BODY', text: 'Hi' }],
        });
    const all = names.flatMap((name) => [`${name} de`, `${name} en`]);
    expect(await walk(`/${waba}/message_templates`, 3)).toEqual([
      all.slice(0, 3),
      all.slice(3, 6),
      all.slice(6, 9),
      all.slice(9),
    ]);
    expect(await walk(`/${waba}/message_templates`, 10)).toEqual([all]);
    expect((await ask('GET', `/${waba}/message_templates?name=t_c&language=de`)).body.data).toHaveLength(1);
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'after=%21', 'after=AA'])
      expect(await ask('GET', `/${waba}/message_templates?${query}`), query).toMatchObject(refusal);
  });

  it('lists numbers in pages', async () => {
    const more = [1, 2, 3].map((digit) => tenant.phone + digit);
    for (const phone of more)
      await gateway.operate<Device>('POST', `/accounts/${tenant.accountId}/devices`, { phone, plan: 'pro' });
    const [first = [], second = []] = await walk(`/${waba}/phone_numbers`, 3, ({ id }) => id);
    expect([first, second]).toEqual([[tenant.phone, ...more.slice(0, 2)], more.slice(2)]);
  });

  interface Item {
    readonly id: string;
    readonly name: string;
    readonly language: string;
  }

  async function walk(
    path: string,
    limit: number,
    shown = ({ name, language }: Item) => `${name} ${language}`,
  ): Promise<string[][]> {
    const pages: string[][] = [];
    let after = '';
    do {
      const { body } = await ask('GET', `${path}?limit=${limit}${after && `&after=${after}`}`);
      pages.push(body.data.map(shown));
      after = body.paging.cursors?.after ?? '';
    } while (after !== '' && pages.length < 20);
    return pages;
  }
});
