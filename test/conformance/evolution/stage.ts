import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import type { Gateway } from '../gateway.ts';
import { type RegisteredNumber, register, type Someone, someone, WATCHING } from '../numbers.ts';
import { loadN8nNode, type N8nNode } from './n8n-node.ts';
import { N8N_OPERATIONS, type OperationName } from './n8n-operations.ts';
import { N8N_URL_VARIABLE } from './n8n-package.ts';
import { openN8nProgram } from './n8n-program.ts';
import { observe } from './observer.ts';
import type { Asked } from './recorded-request.ts';

export const INSTANCE = 'shop';
const CHATBOTS = 'integrations-api';

/** Input for an instance, and the phone of its contact. */
export interface Stage {
  readonly node: N8nNode;
  readonly me: RegisteredNumber;
  readonly ada: Someone;
  readonly serverUrl: string;
  /** Runs an operation of the node, and compares it with the table. */
  operate(name: OperationName, parameters?: Readonly<Record<string, unknown>>): Promise<Asked['body']>;
  /** Operations that were run. */
  readonly operated: ReadonlySet<string>;
  /** Waits for a message on Ada's phone. */
  adaSees(fits: Record<string, unknown>): Promise<Bubble>;
  /** Ada writes. */
  says(message: object): Promise<string>;
  phoneOf(of: { readonly phone: string }): Promise<Record<string, never>>;
}

interface Bubble {
  readonly message_id: string;
  readonly receipts?: readonly object[];
}

export async function takeStage(gateway: Gateway): Promise<Stage> {
  const [ada, own] = await Promise.all([
    someone(gateway, { name: 'Ada', auto_read: true }),
    someone(gateway, { name: 'Shop' }),
  ]);
  const me = await register(gateway, 'partner', own.phone);
  const limits = { partner_limits: { per_minute: 600, per_period: 10_000 } };
  await gateway.operator('PATCH', `/accounts/${me.accountId}`, limits);
  const serverUrl = `${gateway.url}/evolution`;
  const node = await nodeOf({ serverUrl, apikey: me.apiKey });
  const operated = new Set<string>();
  return {
    node,
    me,
    ada,
    serverUrl,
    operated,
    async operate(name, parameters) {
      operated.add(name);
      const { path, outcome } = N8N_OPERATIONS[name];
      const [resource = '', operation = '', value] = name.split(' ');
      const choice = value !== undefined && node.choicesOf(resource, operation);
      const run = () =>
        node.run(resource, operation, {
          instanceName: INSTANCE,
          ...(choice && { [choice.parameter]: value }),
          ...parameters,
        });
      let asked = await run();
      while (asked?.status === 429) {
        await sleep(asked.retryAfterSeconds * 1_000);
        asked = await run();
      }
      expect(asked?.path ?? '').toBe(path);
      expect(outcomeOf(asked), JSON.stringify(asked?.body)).toBe(outcome);
      return asked?.body;
    },
    adaSees: (fits) =>
      vi.waitFor(async () => {
        const path = `/phones/${ada.phone}/messages`;
        const { messages } = await gateway.sandbox<{ messages: Bubble[] }>('GET', path);
        expect(messages).toContainEqual(expect.objectContaining(fits));
        return messages.findLast((each) => expect.objectContaining(fits).asymmetricMatch(each)) as Bubble;
      }, WATCHING),
    async says(message) {
      const body = { to: me.phone, ...message };
      const path = `/phones/${ada.phone}/messages`;
      return (await gateway.sandbox<{ message_id: string }>('POST', path, body)).message_id;
    },
    phoneOf: ({ phone }) => gateway.sandbox('GET', `/phones/${phone}`),
  };
}

/** In a real n8n where there is one; else by its own code. */
async function nodeOf(credentials: { serverUrl: string; apikey: string }): Promise<N8nNode> {
  const node = await loadN8nNode(credentials);
  const url = process.env[N8N_URL_VARIABLE];
  if (url === undefined) return node;
  const program = await openN8nProgram(url);
  const observer = await observe(credentials.serverUrl);
  const credentialId = await program.addCredential({
    'server-url': observer.url,
    apikey: credentials.apikey,
  });
  return {
    ...node,
    async run(resource, operation, parameters) {
      // Chatbots answer as switched off whatever the parameters; n8n requires all of them.
      if (resource === CHATBOTS) return node.run(resource, operation, parameters);
      const ended = await program.runNode({ resource, operation, ...parameters }, credentialId);
      const asked = observer.take();
      if (asked && asked.status < 300) expect(ended, JSON.stringify(asked)).toBe('success');
      return asked;
    },
  };
}

function outcomeOf(asked: Asked | undefined): string {
  if (!asked) return 'missing';
  const { status, body } = asked;
  if (status < 300) return 'works';
  if (status === 400 && /is disabled$/.test(String(body.response.message))) return 'disabled';
  return status === 404 || status === 400 ? 'missing' : `${status}`;
}
