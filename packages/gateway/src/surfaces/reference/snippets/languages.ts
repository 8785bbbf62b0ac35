import {
  isInSdk,
  type Operation,
  operations,
  SEND_KINDS,
  type SendKindName,
  sdkCallOf,
} from '@parley/contract';
import { highlight, type Language } from '../highlight.ts';
import { exampleParams, exampleQuery } from '../model/examples.ts';
import { type ExampleRequest, exampleRequest, indented } from './request.ts';

/** The languages beside curl, which is in the page's markup. */
export const LANGUAGES: readonly {
  readonly name: string;
  readonly language: Language;
  /** Undefined when the language cannot express the request. */
  readonly write: (request: ExampleRequest) => string | undefined;
}[] = [
  { name: 'TypeScript', language: 'javascript', write: asSdk },
  { name: 'fetch', language: 'javascript', write: asFetch },
  { name: 'Python', language: 'python', write: asPython },
  { name: 'PHP', language: 'php', write: asPhp },
  { name: 'Go', language: 'go', write: asGo },
];

/** Every example of the reference, by its address on the page. */
export function exampleRequests(baseUrl: string): Map<string, ExampleRequest> {
  const documented = Object.values<Operation>(operations).filter(({ tag }) => tag !== 'Portal');
  const { sendMessage } = operations;
  const kinds = Object.entries(SEND_KINDS) as [SendKindName, { example: unknown }][];
  return new Map([
    ...documented.map((operation): [string, ExampleRequest] => [
      operation.id,
      exampleRequest(operation, {
        baseUrl,
        ...(operation.id === sendMessage.id && { body: SEND_KINDS.text.example }),
      }),
    ]),
    ...kinds.map(([kind, { example }]): [string, ExampleRequest] => [
      `${sendMessage.id}-${kind}`,
      exampleRequest(sendMessage, { baseUrl, body: example }),
    ]),
  ]);
}

export function languagesOf(operation: Operation): string[] {
  return LANGUAGES.filter(({ write }) => write !== asSdk || isInSdk(operation)).map(({ name }) => name);
}

/** Whether a request uses an account's key, and its body and answer can be shown. */
export function canBeTried({ surface, takesFile, streamType, answerType }: Operation): boolean {
  return surface === 'v1' && !takesFile && streamType === undefined && answerType === undefined;
}

/** An example in the form that the script reads. */
interface Example {
  readonly request: Pick<ExampleRequest, 'method' | 'headers' | 'body'> & { readonly path: string };
  /** Highlighted code, by language. */
  readonly code: Readonly<Record<string, string>>;
}

export function examples(baseUrl: string): Record<string, Example> {
  return Object.fromEntries(
    [...exampleRequests(baseUrl)].map(([address, request]) => {
      const { method, headers, body, url } = request;
      const code = LANGUAGES.flatMap(({ name, language, write }) => {
        const written = write(request);
        return written === undefined ? [] : [[name, highlight(language, written).join('')]];
      });
      const path = url.slice(baseUrl.length);
      return [address, { request: { method, path, headers, body }, code: Object.fromEntries(code) }];
    }),
  );
}

function asGo({ method, url, secret, headers, body }: ExampleRequest): string {
  const imports = [
    'fmt',
    'io',
    'net/http',
    ...(secret ? ['os'] : []),
    ...(body === undefined ? [] : ['strings']),
  ];
  const set = Object.entries(headers).map(
    ([name, value]) => `\trequest.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})`,
  );
  return [
    'package main',
    '',
    'import (',
    ...imports.map((each) => `\t"${each}"`),
    ')',
    '',
    'func main() {',
    ...(body === undefined ? [] : [`\tbody := strings.NewReader(${goText(JSON.stringify(body, null, 2))})`]),
    `\trequest, err := http.NewRequest("${method}", ${JSON.stringify(url)}, ${body === undefined ? 'nil' : 'body'})`,
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    ...(secret ? [`\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("${secret}"))`] : []),
    ...set,
    '\tresponse, err := http.DefaultClient.Do(request)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer response.Body.Close()',
    '\tanswer, err := io.ReadAll(response.Body)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tfmt.Println(response.Status, string(answer))',
    '}',
  ].join('\n');
}

function goText(json: string): string {
  return json.includes('`') ? JSON.stringify(json) : `\`${json}\``;
}

function asPhp({ method, url, secret, headers, body }: ExampleRequest): string {
  const lines = [
    ...(secret === undefined ? [] : [`        'Authorization: Bearer ' . getenv('${secret}'),`]),
    ...Object.entries(headers).map(([name, value]) => `        ${phpText(`${name}: ${value}`)},`),
  ];
  return [
    '<?php',
    '',
    `$request = curl_init(${phpText(url)});`,
    'curl_setopt_array($request, [',
    `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    '    CURLOPT_RETURNTRANSFER => true,',
    ...(lines.length > 0 ? ['    CURLOPT_HTTPHEADER => [', ...lines, '    ],'] : []),
    ...(body === undefined
      ? []
      : [`    CURLOPT_POSTFIELDS => json_encode(${indented(phpLiteral(body), '    ')}),`]),
    ']);',
    'echo curl_exec($request);',
  ].join('\n');
}

function phpLiteral(value: unknown): string {
  if (typeof value === 'string') return phpText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const entries = Object.entries(value).map(
    ([name, item]) => `    ${isList ? '' : `${phpText(name)} => `}${indented(phpLiteral(item), '    ')},`,
  );
  if (entries.length === 0) return isList ? '[]' : 'new stdClass()';
  return `[\n${entries.join('\n')}\n]`;
}

function phpText(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function asPython({ method, url, secret, headers, body, answersText }: ExampleRequest): string {
  const entries = [
    ...(secret === undefined ? [] : [`        "Authorization": f"Bearer {os.environ['${secret}']}",`]),
    ...Object.entries(headers)
      // The library sets this header automatically.
      .filter(([name]) => name !== 'Content-Type')
      .map(([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
  ];
  return [
    ...(secret === undefined ? [] : ['import os']),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    ${JSON.stringify(url)},`,
    ...(entries.length > 0 ? ['    headers={', ...entries, '    },'] : []),
    ...(body === undefined ? [] : [`    json=${indented(pythonLiteral(body), '    ')},`]),
    '    timeout=30,',
    ')',
    `print(response.status_code, response.${answersText ? 'text' : 'json()'})`,
  ].join('\n');
}

const PYTHON_WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** JSON is Python except for three literals; strings stay unchanged. */
function pythonLiteral(value: unknown): string {
  return JSON.stringify(value, null, 4).replaceAll(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    (part) => PYTHON_WORDS[part] ?? part,
  );
}

function asFetch({ method, url, secret, headers, body, answersText }: ExampleRequest): string {
  const lines = [
    method !== 'GET' && `  method: '${method}',`,
    (secret !== undefined || Object.keys(headers).length > 0) && headersIn(secret, headers),
    body !== undefined && `  body: JSON.stringify(${indented(jsLiteral(body), '  ')}),`,
  ].filter(Boolean);
  const options = lines.length > 0 ? `, {\n${lines.join('\n')}\n}` : '';
  return `const response = await fetch(${jsText(url)}${options});
console.log(response.status, await response.${answersText ? 'text' : 'json'}());`;
}

function headersIn(secret: string | undefined, headers: Readonly<Record<string, string>>): string {
  const entries = [
    ...(secret === undefined ? [] : [`    Authorization: \`Bearer \${process.env.${secret}}\`,`]),
    ...Object.entries(headers).map(([name, value]) => `    ${jsText(name)}: ${jsText(value)},`),
  ];
  return `  headers: {\n${entries.join('\n')}\n  },`;
}

/** Undefined when the SDK does not have the operation. */
function asSdk({ operation, headers, body }: ExampleRequest): string | undefined {
  if (!isInSdk(operation)) return undefined;
  const { client, noun, method } = sdkCallOf(operation);
  const args = argumentsOf(operation, headers['Idempotency-Key'], body);
  const [make, from, secret] =
    client === 'operator'
      ? ['createOperator', 'parley-sdk/operator', 'token: process.env.PARLEY_OPERATOR_TOKEN']
      : ['createParley', 'parley-sdk', 'apiKey: process.env.PARLEY_API_KEY'];
  const url = 'url: process.env.PARLEY_URL';
  return `import { ${make} } from '${from}';

const ${client} = ${make}({
  ${url},
  ${secret},
});
const answer = await ${client}.${noun}.${method}(${args.join(', ')});
console.log(answer);`;
}

function argumentsOf(operation: Operation, idempotencyKey: string | undefined, body: unknown): string[] {
  const { path, takesFile, query } = operation;
  const params = exampleParams(operation);
  const asked = exampleQuery(operation);
  const hasQuery = query !== undefined && (Object.keys(asked).length > 0 || body !== undefined);
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => jsText(params[name] ?? '')),
    ...(hasQuery ? [jsLiteral(asked)] : []),
    ...(body === undefined ? [] : [jsLiteral(body)]),
    ...(takesFile ? ["new Blob(['…'])"] : []),
    ...(idempotencyKey === undefined ? [] : [`{ idempotencyKey: ${jsText(idempotencyKey)} }`]),
  ];
}

/** A JavaScript literal: names without quotes where none are needed. */
function jsLiteral(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, (quoted) => jsText(JSON.parse(quoted)));
}

function jsText(value: string): string {
  const escaped = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}
