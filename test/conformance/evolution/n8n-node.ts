import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { unpackedPackage } from '../../services/npm-package.ts';
import { N8N_NODE } from './n8n-package.ts';
import { type Asked, askedOf } from './recorded-request.ts';

export interface N8nNode {
  /** Every operation that the node has code for, by resource; its menu is a subset. */
  readonly operations: Readonly<Record<string, readonly string[]>>;
  /** A further parameter of an operation that selects the request. */
  choicesOf(resource: string, operation: string): Choice | undefined;
  /** Undefined when it sent no request. Refusals are answers too. */
  run(
    resource: string,
    operation: string,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<Asked | undefined>;
}

interface Choice {
  readonly parameter: string;
  readonly values: readonly string[];
}

interface Property {
  readonly name: string;
  readonly default?: unknown;
  readonly options?: readonly { readonly value: string }[];
  readonly displayOptions?: { readonly show?: Readonly<Record<string, readonly unknown[]>> };
}

interface Request {
  readonly method: string;
  readonly uri: string;
  readonly headers: Record<string, string>;
  readonly body?: object;
}

type Helper = (request: Request) => Promise<unknown>;

/** The menu spells this name differently from the code, so it cannot be run from the menu. */
const MENU_SPELLING: Readonly<Record<string, string>> = { 'flowise-bot': 'flowiseBot' };

/** The node as n8n runs it: its own code makes the requests, from parameters, credentials and an HTTP helper. */
export async function loadN8nNode(credentials: { serverUrl: string; apikey: string }): Promise<N8nNode> {
  const folder = join(await unpackedPackage(N8N_NODE), 'dist/nodes/EvolutionApi');
  const { EvolutionApi, resourceOperationsFunctions } = load(folder);
  const { execute, description } = new EvolutionApi();
  const propertiesOf = (resource: string, operation: string): Property[] =>
    description.properties.filter(({ displayOptions: { show = {} } = {} }) => {
      const fits = (name: string, value: string) => show[name]?.includes(value) ?? true;
      return fits('resource', resource) && fits('operation', MENU_SPELLING[operation] ?? operation);
    });

  return {
    operations: Object.fromEntries(
      Object.entries(resourceOperationsFunctions).map(([resource, functions]) => [
        resource,
        Object.keys(functions),
      ]),
    ),
    choicesOf(resource, operation) {
      const found = propertiesOf(resource, operation).find(({ name }) =>
        /^(?:resourceFor\w+|searchMethod)$/.test(name),
      );
      return found && { parameter: found.name, values: (found.options ?? []).map(({ value }) => value) };
    },
    async run(resource, operation, parameters) {
      let asked: Asked | undefined;
      const properties = propertiesOf(resource, operation);
      const given: Readonly<Record<string, unknown>> = { resource, operation, ...parameters };
      const request: Helper = async (wanted) => {
        asked = await send(wanted, credentials.serverUrl);
        if (asked.status >= 300) throw new Error(`${asked.status} - ${JSON.stringify(asked.body)}`);
        return asked.body;
      };
      const context = {
        getNodeParameter(name: string, _item: number, otherwise?: unknown) {
          const byDefault = properties.find((property) => property.name === name)?.default;
          const value = given[name] ?? byDefault ?? otherwise;
          if (value === undefined) throw new Error(`Could not get parameter ${name}`);
          return value;
        },
        getInputData: () => [{ json: {} }],
        getCredentials: async () => ({
          'server-url': credentials.serverUrl,
          apikey: credentials.apikey,
        }),
        getNode: () => ({ name: 'Evolution API' }),
        continueOnFail: () => false,
        helpers: { request, returnJsonArray: (data: unknown) => [data].flat() },
      };
      try {
        await execute.call(context);
      } catch (error) {
        // The node's handling of a refusal does not matter here; a missing request does.
        if (!asked && !/reconhecida/.test(String(error))) throw error;
      }
      return asked;
    },
  };
}

/** Sends as n8n's helper does: JSON both ways. */
async function send({ method, uri, headers, body }: Request, serverUrl: string): Promise<Asked> {
  const sent = new Headers(headers);
  if (body) sent.set('content-type', 'application/json');
  const answer = await fetch(uri, { method, headers: sent, ...(body && { body: JSON.stringify(body) }) });
  return askedOf(method, uri.slice(serverUrl.length), answer, await answer.text());
}

interface Loaded {
  readonly EvolutionApi: new () => {
    readonly description: { readonly properties: readonly Property[] };
    execute(this: object): Promise<unknown>;
  };
  readonly resourceOperationsFunctions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

function load(folder: string): Loaded {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === 'n8n-workflow' ? join(import.meta.dirname, 'n8n-workflow.ts') : specifier, context),
  });
  try {
    const require = createRequire(import.meta.url);
    return {
      ...require(join(folder, 'EvolutionApi.node.js')),
      ...require(join(folder, 'execute/index.js')),
    };
  } finally {
    hooks.deregister();
  }
}
