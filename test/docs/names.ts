import { globSync } from 'node:fs';
import { type Operation, operations } from '@parley/contract';
import { SETTINGS } from '../../packages/gateway/src/config/settings.ts';
import { documents, ROOT, read } from './markdown.ts';

/** Variables of the reader's own programs, and of the tests, which the gateway does not read. */
const OTHER_VARIABLES = new Set([
  'PARLEY_API_KEY',
  'PARLEY_URL',
  'PARLEY_WEBHOOK_SECRET',
  'PARLEY_TEST_POSTGRES_URL',
  'PARLEY_TEST_NATS_URL',
  'PARLEY_TEST_COUNTS',
]);
/** Names of other programs, in migration guides, of the network, of tools, and of metrics that every Node.js process has. */
const NAMES_OF_OTHERS = new Set([
  'CONNECTION_UPDATE',
  'WHATSAPP_CLOUD_API_URL',
  'WHATSAPP_CLOUD_BASE_URL',
  'address_message',
  'client_expiration',
  'business_account_id',
  'call_permission_request',
  'catalog_message',
  'product_list',
  'MESSAGES_UPDATE',
  'MESSAGES_UPSERT',
  'QRCODE_UPDATED',
  'SEND_MESSAGE',
  'reply_to',
  'pg_dump',
  'pg_restore',
  'ignore_startup_parameters',
  'pool_mode',
  'default_pool_size',
  'synchronous_standby_names',
  'synchronous_commit',
  'NODE_OPTIONS',
  'process_resident_memory_bytes',
]);
/** Documents about internals: tables, modules, test files. */
const ABOUT_THE_INSIDE =
  /^(?:docs\/adr\/|docs\/evidence\/|docs\/(?:promises|tables)\.md|ARCHITECTURE|CHANGELOG|packages\/)/;

/** Pages with further words: of tables, or of another program's interface. */
const FURTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  'docs/scaling.md': ['packages/gateway/src/platform/store/schema/*.ts'],
  'docs/operating.md': ['packages/gateway/src/messages/partitions/partition-queries.ts'],
  'docs/cloud-api.md': ['packages/gateway/src/surfaces/compat/cloud/**/*.ts', 'test/conformance/cloud/*.ts'],
  'docs/migrating-from-evolution.md': [
    'packages/gateway/src/surfaces/compat/evolution/**/*.ts',
    'test/conformance/evolution/n8n-operations.ts',
  ],
};

/** Names in the documentation that neither the contract nor the configuration has: misspelt or renamed ones. */
export function unknownNames(): string[] {
  return documents().flatMap((file) => {
    const text = read(file);
    const known = vocabulary.union(wordsOf(...(FURTHER_WORDS[file] ?? [])));
    const fields = ABOUT_THE_INSIDE.test(file) ? [] : unknownFields(text, known);
    return [...unknownVariables(text), ...unknownPaths(text), ...fields].map((name) => `${file}: ${name}`);
  });
}

function unknownVariables(text: string): string[] {
  const settings = new Set(Object.values(SETTINGS).map(({ name }) => name as string));
  return unique(text, /\bPARLEY_[A-Z]+(?:_[A-Z]+)*\b/g).filter(
    (name) => !settings.has(name) && !OTHER_VARIABLES.has(name),
  );
}

/** Fields and values are in snake case, reasons in capitals; only code spans are checked. */
function unknownFields(text: string, known: ReadonlySet<string>): string[] {
  const code = [...text.matchAll(/`([^`\n]+)`|"(\w+)":/g)].map(([, span, key]) => span ?? key).join('\n');
  const words = [
    ...unique(code, /(?<![\w/$.-])[a-z]+(?:_[a-z0-9]+)+(?![\w/.(-])/g),
    ...unique(code, /\b(?!PARLEY)[A-Z]+(?:_[A-Z]+)+\b/g),
  ];
  return words.filter((word) => !known.has(word) && !NAMES_OF_OTHERS.has(word));
}

/** Every word of the public interface, the sandbox's included. */
const vocabulary = wordsOf(
  'packages/contract/src/**/*.ts',
  'packages/sandbox/src/control/**/*.ts',
  'packages/sandbox/src/world/standing/types.ts',
  'packages/sandbox/src/world/passkeys/types.ts',
  'packages/sandbox/src/world/people/privacy.ts',
  'packages/gateway/src/platform/observe/**/*.ts',
  'packages/gateway/src/sessions/pairing/attempt.ts',
);

function wordsOf(...patterns: string[]): Set<string> {
  const files = globSync(patterns, { cwd: ROOT });
  return new Set(files.flatMap((file) => unique(read(file), /[A-Za-z]+(?:_[A-Za-z0-9]+)+/g)));
}

function unknownPaths(text: string): string[] {
  const named = text.matchAll(
    /(?:\b(GET|POST|PUT|PATCH|DELETE) )?(?<![\w/])((?:\/operator)?\/v1\/[\w/{}$%.:@*…-]*|\/portal\/api\/[\w/{}-]*)/g,
  );
  return [...named]
    .map(([, method, path = '']) => ({ method, path: path.replace(/[.:…*/-]+$/, '') }))
    .filter(({ method, path }) => !isPath(method, path))
    .map(({ method, path }) => [method, path].filter(Boolean).join(' '));
}

function isPath(method: string | undefined, path: string): boolean {
  return Object.values<Operation>(operations).some(
    (operation) => (method === undefined || method === operation.method) && fits(operation.path, path),
  );
}

/** A path may be cut off after any segment, and have any value for a parameter. */
function fits(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  return path.split('/').every((segment, index) => {
    const expected = wanted[index];
    return expected !== undefined && (expected.startsWith('{') || expected === segment);
  });
}

function unique(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([word]) => word))];
}
