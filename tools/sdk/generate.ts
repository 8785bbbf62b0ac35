import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DELIVERIES_PAGE_MAX,
  ERROR_CODE_HEADER,
  EVENT_CATEGORIES,
  EVENT_SCHEMAS,
  EVENTS_PAGE_MAX,
  type Operation,
  operations,
  PublicEvent,
  SIGNATURE_TOLERANCE_SECONDS,
  WEBHOOK_HEADERS,
} from '@parley/contract';
import { CALLS_FILE, sdkCalls } from './calls.ts';
import { errorCodes } from './errors.ts';
import { methodsOf } from './methods.ts';
import { ACCOUNT_NOUNS, type Nouns, OPERATOR_NOUNS } from './nouns.ts';
import { createTypeWriter, type TypeWriter } from './types.ts';

export const FOLDER = join(import.meta.dirname, '../../packages/sdk/src/generated');

const NOTICE = '// Made from the contract by `npm run generate -w @parley/sdk`. Do not edit.\n\n';

/** The files that the SDK takes from the contract, by name. */
export function generate(): Record<string, string> {
  const { v1, operator } = { v1: operationsOf('v1'), operator: operationsOf('operator') };
  requireNames(v1, ACCOUNT_NOUNS);
  requireNames(operator, OPERATOR_NOUNS);
  const account = createTypeWriter();
  const methods = methodsOf(ACCOUNT_NOUNS, account);
  eventTypes(account);
  const office = createTypeWriter();
  const operatorMethods = methodsOf(OPERATOR_NOUNS, office);
  return {
    'types.ts': NOTICE + account.text(),
    'methods.ts': NOTICE + importsOf(methods, './types.ts', account) + methods,
    'operator-types.ts': NOTICE + office.text(),
    'operator-methods.ts':
      NOTICE + importsOf(operatorMethods, './operator-types.ts', office) + operatorMethods,
    'errors.ts': NOTICE + errorCodes([...v1, ...operator]),
    'constants.ts': NOTICE + constants(),
  };
}

function operationsOf(surface: Operation['surface']): Operation[] {
  return Object.values<Operation>(operations).filter((operation) => operation.surface === surface);
}

/** An operation that was added to the contract needs a name in the SDK as well. */
function requireNames(served: readonly Operation[], nouns: Nouns): void {
  const named = Object.values(nouns).flatMap((verbs) => Object.keys(verbs));
  const nameless = served.filter(({ id }) => !named.includes(id));
  const unknown = named.filter((id) => !served.some((operation) => operation.id === id));
  if (nameless.length + unknown.length > 0) {
    const ids = [...nameless.map(({ id }) => id), ...unknown];
    throw new Error(`tools/sdk/nouns.ts and the contract disagree about ${ids.join(', ')}`);
  }
}

function eventTypes(types: TypeWriter): void {
  types.use(PublicEvent);
  types.declare('EventKind', { enum: Object.keys(EVENT_SCHEMAS), description: 'The values of `kind`.' });
  types.declare('EventCategory', {
    enum: EVENT_CATEGORIES,
    description: 'Each has its own URL in the configuration of a webhook.',
  });
}

function constants(): string {
  const values = {
    WEBHOOK_HEADERS,
    ERROR_CODE_HEADER,
    SIGNATURE_TOLERANCE_SECONDS,
    DELIVERIES_PAGE_MAX,
    EVENTS_PAGE_MAX,
  };
  return Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value, null, 2)} as const;\n`)
    .join('\n');
}

/** Only the names that the methods speak of. */
function importsOf(code: string, from: string, types: TypeWriter): string {
  const declared = [...types.text().matchAll(/^export (?:type|interface) (\w+)/gm)].map(
    ([, name = '']) => name,
  );
  const used = declared.filter((name) => new RegExp(`[:<] ?${name}\\b`).test(code));
  const importOf = (names: readonly string[], file: string): string[] => {
    const spoken = names.filter((name) => new RegExp(`\\b${name}\\b`).test(code));
    return spoken.length > 0 ? [`import type { ${spoken.join(', ')} } from '${file}';`] : [];
  };
  return [
    ...importOf(['Call', 'CallOptions', 'DownloadOptions', 'SendOptions', 'UploadOptions'], '../call.ts'),
    ...importOf(['FileInput'], '../files.ts'),
    `import type {\n${used.map((name) => `  ${name},`).join('\n')}\n} from '${from}';`,
    '',
    '',
  ].join('\n');
}

if (import.meta.main) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, text] of Object.entries(generate())) writeFileSync(join(FOLDER, name), text);
  writeFileSync(CALLS_FILE, sdkCalls());
}
