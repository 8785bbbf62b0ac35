import { beforeAll, describe, expect, test, vi } from 'vitest';
import { WATCHING } from '../numbers.ts';
import { sharedGateway } from '../shared-gateway.ts';
import { N8N_URL_VARIABLE } from './n8n-package.ts';
import { at, evolutionNode, inOrder, type N8nProgram, openN8nProgram } from './n8n-program.ts';
import { INSTANCE, type Stage, takeStage } from './stage.ts';

const url = process.env[N8N_URL_VARIABLE] ?? '';

describe.runIf(url)('a real n8n', () => {
  const gateway = sharedGateway();
  let stage: Stage;
  let program: N8nProgram;

  beforeAll(async () => {
    stage = await takeStage(gateway);
    program = await openN8nProgram(url);
  });

  test('accepts a valid credential, and refuses a wrong one', async () => {
    const right = { 'server-url': stage.serverUrl, apikey: stage.me.apiKey };
    expect(await program.testCredential(right)).toMatchObject({ status: 'OK' });
    expect(await program.testCredential({ ...right, apikey: 'wrong' })).toMatchObject({ status: 'Error' });
  });

  test('answers all incoming messages, by a flow that begins at a webhook', async () => {
    const { me, ada, serverUrl } = stage;
    const credentialId = await program.addCredential({ 'server-url': serverUrl, apikey: me.apiKey });
    const webhook = {
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      webhookId: 'answers',
      parameters: { httpMethod: 'POST', path: 'answers', options: {} },
    };
    const answer = evolutionNode(
      'Answer',
      {
        resource: 'messages-api',
        operation: 'send-text',
        instanceName: '={{ $json.body.instance }}',
        remoteJid: '={{ $json.body.data.key.remoteJid }}',
        messageText: '=You said: {{ $json.body.data.message.conversation }}',
      },
      credentialId,
    );
    const hook = await program.activate('answers', {
      nodes: [at(0, webhook), at(1, answer)],
      ...inOrder(webhook, answer),
    });
    await stage.operate('instances-api instance-basic', {
      number: me.phone,
      token: '',
      'options_Create_instance.webhook.webhookSettings': {
        webhookUrl: hook,
        webhookEvents: ['MESSAGES_UPSERT'],
      },
    });
    const { code } = await stage.operate('instances-api instance-connect');
    await gateway.sandbox('POST', `/phones/${me.phone}/scan`, { qr: code });
    await vi.waitFor(async () => {
      const [seen] = await stage.operate('instances-api fetch-instances', { instanceName: INSTANCE });
      expect(seen).toMatchObject({ connectionStatus: 'open' });
    }, WATCHING);
    for (const text of ['Ping', 'Pong']) {
      await stage.says({ text });
      await stage.adaSees({ text: `You said: ${text}` });
    }
    expect(ada.phone).toMatch(/^\d+$/);
  });
});
