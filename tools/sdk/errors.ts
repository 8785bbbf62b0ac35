import { ERRORS, type ErrorCode, errorsOf, type Operation } from '@parley/contract';

/** Errors that any request can meet before it becomes an operation. */
const OF_ANY_REQUEST: readonly ErrorCode[] = [
  'content_type_not_json',
  'not_found',
  'method_not_allowed',
  'shutting_down',
  'store_unreachable',
];

/** Stands for a value inside a sentence. */
const VALUE = '*';

/** The registry of errors as the SDK has it: an answer carries a sentence, and the sentence tells the code. */
export function errorTable(served: readonly Operation[]): string {
  const met = new Set([...OF_ANY_REQUEST, ...served.flatMap((operation) => errorsOf(operation))]);
  const entries = (Object.keys(ERRORS) as ErrorCode[])
    .filter((code) => met.has(code))
    .map((code) => `  ${code}: [${ERRORS[code].status}, ${JSON.stringify(sentenceOf(code))}],`);
  return [
    '/** Status and sentence of every error; `*` stands for a value. A sentence that is nothing but a value comes last. */',
    'export const ERROR_SENTENCES = {',
    ...entries.filter((entry) => !entry.endsWith('"*"],')),
    ...entries.filter((entry) => entry.endsWith('"*"],')),
    '} as const;',
    '',
  ].join('\n');
}

function sentenceOf(code: ErrorCode): string {
  const { text }: { text: unknown } = ERRORS[code];
  if (typeof text !== 'function') return String(text);
  const anything = new Proxy({}, { get: () => VALUE });
  // A value that is looked up in a list of words is not found there.
  return String(text(anything)).replaceAll('undefined', VALUE);
}
