import { type Operation, operations, SEND_KINDS, type SendKindName } from '@parley/contract';
import { highlight, type Language } from '../highlight.ts';
import { asGo } from './go.ts';
import { asFetch, asSdk } from './javascript.ts';
import { asPhp } from './php.ts';
import { asPython } from './python.ts';
import { type ExampleRequest, exampleRequest } from './request.ts';
import { SDK_CALLS } from './sdk-calls.ts';

/** The languages beside curl, which is on the page from the beginning. */
export const LANGUAGES: readonly {
  readonly name: string;
  readonly language: Language;
  /** Undefined where there is no way to say it. */
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
  const told = Object.values<Operation>(operations).filter(({ tag }) => tag !== 'Portal');
  const { sendMessage } = operations;
  const kinds = Object.entries(SEND_KINDS) as [SendKindName, { example: unknown }][];
  return new Map([
    ...told.map((operation): [string, ExampleRequest] => [
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

export function languagesOf({ id }: Operation): string[] {
  return LANGUAGES.filter(({ write }) => write !== asSdk || SDK_CALLS[id] !== undefined).map(
    ({ name }) => name,
  );
}

/** With a key of an account, by a request and an answer that can be shown. */
export function canBeTried({ surface, takesFile, streamType, answerType }: Operation): boolean {
  return surface === 'v1' && !takesFile && streamType === undefined && answerType === undefined;
}

/** An example as the script needs it. */
interface Example {
  readonly request: Pick<ExampleRequest, 'method' | 'headers' | 'body'> & { readonly path: string };
  /** Coloured, by language. */
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
