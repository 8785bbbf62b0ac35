import { vi } from 'vitest';
import { WATCHING } from '../numbers.ts';
import { N8N_NODE, N8N_OWNER } from './n8n-package.ts';

/** A real n8n, used by its API as the editor does. */
export interface N8nProgram {
  readonly url: string;
  /** n8n's result of the credential test. */
  testCredential(credential: N8nCredential): Promise<{ status: string; message?: string }>;
  addCredential(credential: N8nCredential): Promise<string>;
  /** Runs one operation of the node to its end, and returns its status. */
  runNode(parameters: Readonly<Record<string, unknown>>, credentialId: string): Promise<string>;
  /** Activates a flow that begins at a webhook, and returns the webhook's address. */
  activate(path: string, flow: Flow): Promise<string>;
}

interface N8nCredential {
  readonly 'server-url': string;
  readonly apikey: string;
}

export interface Flow {
  readonly nodes: readonly object[];
  readonly connections: object;
}

interface Kept {
  readonly id: string;
  readonly versionId: string;
}

const START = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 };
const TYPE = 'evolutionApi';

export async function openN8nProgram(url: string): Promise<N8nProgram> {
  let cookie = '';
  async function ask<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`${url}/rest${path}`, {
      method,
      headers: { cookie, 'content-type': 'application/json', 'push-ref': 'tests' },
      ...(body && { body: JSON.stringify(body) }),
    });
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    const text = await answer.text();
    if (!answer.ok) throw new Error(`n8n: ${method} ${path} ${answer.status}: ${text}`);
    return JSON.parse(text).data;
  }
  const keep = (name: string, flow: Flow): Promise<Kept> =>
    ask('POST', '/workflows', { name, active: false, settings: {}, ...flow });

  const addCredential = async (data: N8nCredential): Promise<string> =>
    (await ask<{ id: string }>('POST', '/credentials', { name: 'Parley', type: TYPE, data })).id;

  await ask('POST', '/login', { emailOrLdapLoginId: N8N_OWNER.email, password: N8N_OWNER.password });
  const draft = await keep('Operation', { nodes: [], connections: {} });
  return {
    url,
    addCredential,
    async testCredential(data) {
      const id = await addCredential(data);
      return ask('POST', '/credentials/test', { credentials: { id, name: 'Parley', type: TYPE, data } });
    },
    async runNode(parameters, credentialId) {
      const operation = evolutionNode('Operation', parameters, credentialId);
      const nodes = [at(0, START), at(1, operation)];
      const workflowData = {
        ...draft,
        name: 'Operation',
        active: false,
        settings: {},
        nodes,
        ...inOrder(START, operation),
      };
      const path = `/workflows/${draft.id}/run`;
      const { executionId } = await ask<{ executionId: string }>('POST', path, {
        workflowData,
        triggerToStartFrom: { name: START.name },
      });
      return vi.waitFor(async () => {
        const { status } = await ask<{ status: string }>('GET', `/executions/${executionId}`);
        if (/^(?:new|running)$/.test(status)) throw new Error(`n8n still runs ${JSON.stringify(parameters)}`);
        return status;
      }, WATCHING);
    },
    async activate(path, flow) {
      const { id, versionId } = await keep(path, flow);
      await ask('PATCH', `/workflows/${id}`, { active: true, versionId });
      return `${url}/webhook/${path}`;
    },
  };
}

/** The node within a flow; names with dots are paths into nested parameters. */
export function evolutionNode(
  name: string,
  parameters: Readonly<Record<string, unknown>>,
  credentialId: string,
) {
  return {
    name,
    type: `${N8N_NODE.name}.${TYPE}`,
    typeVersion: 1,
    parameters: nested(parameters),
    credentials: { [TYPE]: { id: credentialId, name: 'Parley' } },
  };
}

export function at(column: number, node: { readonly name: string }): object {
  return { id: node.name, position: [column * 200, 0], parameters: {}, ...node };
}

/** One node after the other. */
export function inOrder(...nodes: readonly { readonly name: string }[]): Pick<Flow, 'connections'> {
  const pairs = nodes.slice(1).map(({ name: node }, index) => {
    return [nodes[index]?.name, { main: [[{ node, type: 'main', index: 0 }]] }];
  });
  return { connections: Object.fromEntries(pairs) };
}

function nested(parameters: Readonly<Record<string, unknown>>): object {
  const tree: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(parameters)) put(tree, name.split('.'), value);
  return tree;
}

function put(tree: Record<string, unknown>, [step = '', ...steps]: readonly string[], value: unknown): void {
  if (steps.length === 0) {
    tree[step] = value;
    return;
  }
  const branch = (tree[step] ?? {}) as Record<string, unknown>;
  tree[step] = branch;
  put(branch, steps, value);
}
