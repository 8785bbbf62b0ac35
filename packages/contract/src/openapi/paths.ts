import Type, { type TObject, type TSchema } from 'typebox';
import { SEND_KINDS } from '../messages/kinds.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import type { Components, JsonSchema } from './components.ts';
import { exampleOf } from './example.ts';
import { responsesOf } from './responses.ts';

export type Paths = Record<string, Record<string, JsonSchema>>;

/** Surfaces under `/v1`: with a key, or with a signed link. */
export const V1_OPERATIONS = Object.values<Operation>(operations).filter(
  ({ surface }) => surface === 'v1' || surface === 'signed',
);

/** Paths of `/v1`, in the order of the operations. */
export function pathsOf(components: Components): Paths {
  const paths: Paths = {};
  for (const operation of V1_OPERATIONS) {
    paths[operation.path] ??= {};
    Object.assign(paths[operation.path] ?? {}, {
      [operation.method.toLowerCase()]: describe(operation, components),
    });
  }
  return paths;
}

function describe(operation: Operation, components: Components): JsonSchema {
  const { id, summary, tag, params, query, headers, body } = operation;
  const described: JsonSchema = {
    operationId: id,
    summary,
    description: describeInWords(operation),
    tags: [tag],
    ...(operation.surface === 'signed' && { security: [] }),
  };
  const parameters = [
    ...parametersIn('path', params, components),
    ...parametersIn('query', query, components),
    ...parametersIn('header', headers, components),
  ];
  if (parameters.length > 0) described.parameters = parameters;
  if (body !== undefined) described.requestBody = requestBody(operation, body, components);
  if (operation.takesFile) described.requestBody = FILE_BODY;
  described.responses = responsesOf(operation, components);
  return described;
}

function describeInWords({ description, permission, feature, sessionMustBe }: Operation): string {
  const needs = [
    permission === undefined || permission === 'none' ? [] : `Permission: \`${permission}\`.`,
    feature === undefined ? [] : `Plan feature: \`${feature}\`.`,
    sessionMustBe === undefined ? [] : SESSION_NEEDS[sessionMustBe],
  ];
  return [description ?? [], needs.flat().join(' ')].flat().filter(Boolean).join('\n\n');
}

const SESSION_NEEDS = {
  online: 'The session must be online.',
  linked: 'The session must be connected or reconnecting.',
};

function parametersIn(place: string, schema: TObject | undefined, components: Components): JsonSchema[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...shown } = components.show(property);
    const required = !Type.IsOptional(property);
    return {
      name,
      in: place,
      required,
      ...(description === undefined ? {} : { description }),
      schema: shown,
    };
  });
}

function requestBody({ id, bodyOptional }: Operation, body: TSchema, components: Components): JsonSchema {
  const example =
    id === operations.sendMessage.id ? { examples: sendExamples() } : { example: exampleOf(body) };
  return {
    required: bodyOptional !== true,
    content: { 'application/json': { schema: components.show(body), ...example } },
  };
}

const FILE = { type: 'string', format: 'binary' };
const FILE_BODY = {
  required: true,
  content: {
    '*/*': { schema: FILE },
    'multipart/form-data': {
      schema: { type: 'object', properties: { file: FILE }, required: ['file'] },
    },
  },
};

function sendExamples(): JsonSchema {
  return Object.fromEntries(
    Object.values(SEND_KINDS).map(({ kind, summary, example }) => [kind, { summary, value: example }]),
  );
}
