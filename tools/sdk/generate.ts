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
import { errorCodes } from './errors.ts';
import { methodsOf } from './methods.ts';
import { createTypeWriter, type TypeWriter } from './types.ts';

export const SDK_FOLDER = 'packages/sdk/src/generated';

const NOTICE = '// Made from the contract by `npm run gen`. Do not edit.\n\n';

/** Generated code, by path from the root. */
export function generateSdk(): Record<string, string> {
  const { v1, operator } = { v1: operationsOf('v1'), operator: operationsOf('operator') };
  const account = createTypeWriter();
  const methods = methodsOf(v1, account);
  eventTypes(account);
  const office = createTypeWriter();
  const operatorMethods = methodsOf(operator, office);
  return {
    [`${SDK_FOLDER}/types.ts`]: NOTICE + account.text(),
    [`${SDK_FOLDER}/methods.ts`]: NOTICE + importsOf(methods, './types.ts', account) + methods,
    [`${SDK_FOLDER}/operator-types.ts`]: NOTICE + office.text(),
    [`${SDK_FOLDER}/operator-methods.ts`]:
      NOTICE + importsOf(operatorMethods, './operator-types.ts', office) + operatorMethods,
    [`${SDK_FOLDER}/errors.ts`]: NOTICE + errorCodes([...v1, ...operator]),
    [`${SDK_FOLDER}/constants.ts`]: NOTICE + constants(),
  };
}

function operationsOf(surface: Operation['surface']): Operation[] {
  return Object.values<Operation>(operations).filter((operation) => operation.surface === surface);
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

/** Only names that the methods use. */
function importsOf(code: string, from: string, types: TypeWriter): string {
  const declared = [...types.text().matchAll(/^export (?:type|interface) (\w+)/gm)].map(
    ([, name = '']) => name,
  );
  const used = declared.filter((name) => new RegExp(`[:<|] ?${name}\\b`).test(code));
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
