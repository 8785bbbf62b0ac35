import { join } from 'node:path';
import { ACCOUNT_NOUNS, type Nouns, OPERATOR_NOUNS } from './nouns.ts';

export const CALLS_FILE = join(
  import.meta.dirname,
  '../../packages/gateway/src/reference/snippets/sdk-calls.ts',
);

/** How every operation is called in the SDK, for the examples of the reference. */
export function sdkCalls(): string {
  const calls = [...callsOf('parley', ACCOUNT_NOUNS), ...callsOf('operator', OPERATOR_NOUNS)];
  return `// Made from the contract by \`npm run generate -w @parley/sdk\`. Do not edit.

/** By the operation's id. */
export const SDK_CALLS: Readonly<Record<string, string>> = {
${calls.map(([id, call]) => `  ${id}: '${call}',`).join('\n')}
};
`;
}

function callsOf(client: string, nouns: Nouns): [id: string, call: string][] {
  return Object.entries(nouns).flatMap(([noun, verbs]) =>
    Object.entries(verbs).map(([id, verb]): [string, string] => [id, `${client}.${noun}.${verb}`]),
  );
}
