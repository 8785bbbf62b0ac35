import { type Operation, type OperationId, operations } from '@parley/contract';
import { type Nouns, parameterName } from './nouns.ts';
import { comment, indent, type TypeWriter } from './types.ts';

/** The code of a noun's methods, one per operation. */
export function methodsOf(nouns: Nouns, types: TypeWriter): string {
  return Object.entries(nouns)
    .map(([noun, verbs]) => nounOf(noun, verbs, types))
    .join('\n');
}

function nounOf(noun: string, verbs: Nouns[string], types: TypeWriter): string {
  const methods = Object.entries(verbs).map(([id, verb]) =>
    methodOf(verb, operations[id as OperationId], types),
  );
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
  const [answer] = Object.values(answers);
  return answer ? types.use(answer) : 'void';
}

/** `/v1/sessions/{id}/groups` as the code that fills it. */
function templateOf(path: string): string {
  if (!path.includes('{')) return `'${path}'`;
  return `\`${path.replace(/\{(\w+)\}/g, (_, name: string) => `\${encodeURIComponent(${parameterName(path, name)})}`)}\``;
}

/** What is saved rather than read. */
function isFile({ answerType }: Operation): boolean {
  return answerType === 'text/csv' || answerType === 'application/pdf';
}
