import { isInSdk, type Operation, sdkCallOf } from '@parley/contract';
import { comment, indent, type TypeWriter } from './types.ts';

/** Code of each noun's methods, one per operation. */
export function methodsOf(served: readonly Operation[], types: TypeWriter): string {
  const calls = served.filter(isInSdk).map((operation) => ({ operation, ...sdkCallOf(operation) }));
  const nouns = Map.groupBy(calls, ({ noun }) => noun);
  const each = [...nouns].map(([noun, own]) => {
    const methods = own.map(({ method, operation }) => methodOf(method, operation, types));
    return nounOf(noun, methods);
  });
  return [...each, allNouns([...nouns.keys()])].join('\n');
}

function allNouns(nouns: readonly string[]): string {
  const entries = nouns.map((noun) => `    ${noun}: ${noun}(call),\n`);
  return `/** The methods of every noun. */\nexport function all(call: Call) {\n  return {\n${entries.join('')}  };\n}\n`;
}

function nounOf(noun: string, methods: readonly string[]): string {
  return `export function ${noun}(call: Call) {\n  return {\n${indent(indent(methods.join('\n')))}\n  };\n}\n`;
}

function methodOf(verb: string, operation: Operation, types: TypeWriter): string {
  const { id, method, path, summary, description, query, body, headers } = operation;
  const named = id.charAt(0).toUpperCase() + id.slice(1);
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameterName(path, name));
  const declared = parameters.map((name) => `${name}: string`);
  const parts = [`method: '${method}'`, `path: ${templateOf(path)}`];
  if (query) {
    declared.push(`query: ${types.declare(`${named}Query`, query)} = {}`);
    parts.push('query');
  }
  if (body) {
    const type = 'title' in body ? types.use(body) : types.declare(`${named}Body`, body);
    declared.push(operation.bodyOptional ? `body: ${type} = {}` : `body: ${type}`);
    parts.push('body');
  }
  if (operation.takesFile) {
    declared.push('file: FileInput');
    parts.push('file');
  }
  if (operation.answersRanges || isFile(operation)) parts.push('raw: true');
  const sends = headers?.properties['Idempotency-Key'] !== undefined;
  if (sends) parts.push('idempotent: true');
  declared.push(`options?: ${optionsOf(operation, sends)}`);
  const text = [summary, description].filter(Boolean).join('.\n\n');
  return `${comment({ description: text })}${verb}: (${declared.join(', ')}): Promise<${answerOf(operation, types)}> =>\n  call({ ${parts.join(', ')} }, options),`;
}

function optionsOf({ takesFile, answersRanges }: Operation, sends: boolean): string {
  if (takesFile) return 'UploadOptions';
  if (answersRanges) return 'DownloadOptions';
  return sends ? 'SendOptions' : 'CallOptions';
}

function answerOf(operation: Operation, types: TypeWriter): string {
  const { answers, answersRanges } = operation;
  if (answersRanges || isFile(operation)) return 'Response';
  return Object.values(answers)
    .map((answer) => (answer ? types.use(answer) : 'void'))
    .join(' | ');
}

/** Template literal for `/v1/sessions/{id}/groups`. */
function templateOf(path: string): string {
  if (!path.includes('{')) return `'${path}'`;
  return `\`${path.replace(/\{(\w+)\}/g, (_, name: string) => `\${encodeURIComponent(${parameterName(path, name)})}`)}\``;
}

/** Media types of downloads. */
function isFile({ answerType }: Operation): boolean {
  return answerType === 'text/csv' || answerType === 'application/pdf';
}

/** Path parameters named `id` in the API are named after their resource. */
function parameterName(path: string, parameter: string): string {
  if (parameter === 'nl') return 'channelJid';
  if (parameter === 'group_id') return 'groupJid';
  if (parameter !== 'id') return parameter.replace(/_(\w)/g, (_, initial: string) => initial.toUpperCase());
  const [, owner] = /\/(\w+)\/\{id\}/.exec(path) ?? [];
  return (
    { sessions: 'sessionId', webhooks: 'webhookId', onboard: 'onboardId', media: 'mediaId' }[owner ?? ''] ??
    'id'
  );
}
