import type { Operation } from '@parley/contract';
import { exampleParams, exampleQuery } from '../model/examples.ts';
import { type ExampleRequest, indented } from './request.ts';
import { SDK_CALLS } from './sdk-calls.ts';

export function asFetch({ method, url, secret, headers, body, answersText }: ExampleRequest): string {
  const lines = [
    method !== 'GET' && `  method: '${method}',`,
    (secret !== undefined || Object.keys(headers).length > 0) && headersIn(secret, headers),
    body !== undefined && `  body: JSON.stringify(${indented(literal(body), '  ')}),`,
  ].filter(Boolean);
  const options = lines.length > 0 ? `, {\n${lines.join('\n')}\n}` : '';
  return `const response = await fetch(${text(url)}${options});
console.log(response.status, await response.${answersText ? 'text' : 'json'}());`;
}

function headersIn(secret: string | undefined, headers: Readonly<Record<string, string>>): string {
  const entries = [
    ...(secret === undefined ? [] : [`    Authorization: \`Bearer \${process.env.${secret}}\`,`]),
    ...Object.entries(headers).map(([name, value]) => `    ${text(name)}: ${text(value)},`),
  ];
  return `  headers: {\n${entries.join('\n')}\n  },`;
}

/** Undefined where the SDK has no such operation. */
export function asSdk({ operation, headers, body }: ExampleRequest): string | undefined {
  const call = SDK_CALLS[operation.id];
  if (call === undefined) return undefined;
  const args = argumentsOf(operation, headers['Idempotency-Key'], body);
  const isOperator = call.startsWith('operator.');
  const [make, from, secret] = isOperator
    ? ['createOperator', 'parley-sdk/operator', 'token: process.env.PARLEY_OPERATOR_TOKEN']
    : ['createParley', 'parley-sdk', 'apiKey: process.env.PARLEY_API_KEY'];
  const url = 'url: process.env.PARLEY_URL';
  return `import { ${make} } from '${from}';

const ${isOperator ? 'operator' : 'parley'} = ${make}({
  ${url},
  ${secret},
});
const answer = await ${call}(${args.join(', ')});
console.log(answer);`;
}

function argumentsOf(operation: Operation, idempotencyKey: string | undefined, body: unknown): string[] {
  const { path, takesFile, query } = operation;
  const params = exampleParams(operation);
  const asked = exampleQuery(operation);
  const hasQuery = query !== undefined && (Object.keys(asked).length > 0 || body !== undefined);
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => text(params[name] ?? '')),
    ...(hasQuery ? [literal(asked)] : []),
    ...(body === undefined ? [] : [literal(body)]),
    ...(takesFile ? ["new Blob(['…'])"] : []),
    ...(idempotencyKey === undefined ? [] : [`{ idempotencyKey: ${text(idempotencyKey)} }`]),
  ];
}

/** A value as people write it: names without quotes where they need none. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, (quoted) => text(JSON.parse(quoted)));
}

function text(value: string): string {
  const escaped = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}
