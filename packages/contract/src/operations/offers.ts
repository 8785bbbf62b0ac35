/** The nouns of an account's client: `parley.<noun>.<method>(…)`. */
type AccountNoun =
  | 'pairing'
  | 'sessions'
  | 'groups'
  | 'contacts'
  | 'profile'
  | 'blocklist'
  | 'chats'
  | 'channels'
  | 'messages'
  | 'media'
  | 'webhooks'
  | 'events'
  | 'terms';

/** The nouns of the operator's client: `operator.<noun>.<method>(…)`. */
type OperatorNoun =
  | 'accounts'
  | 'members'
  | 'apiKeys'
  | 'devices'
  | 'terms'
  | 'sessions'
  | 'workers'
  | 'billing'
  | 'invoices'
  | 'queues'
  | 'deadLetters'
  | 'quarantine'
  | 'drift'
  | 'throughput'
  | 'receivers'
  | 'audit';

/** The noun, or noun and method where the method is not what the id says without the noun (`groups`: `renameGroup` is `rename`). */
type SdkName<Noun extends string> = Noun | `${Noun}.${string}`;

/** Whether AI assistants get the operation as a tool of `parley mcp`, named after its id (`rename_group`). */
type McpTool =
  | {
      readonly tool: true;
      /** Destructive: removes data for good; a DELETE always is. */
      readonly destructive?: true;
      /** The answer contains texts of other people. */
      readonly foreignText?: true;
    }
  | { readonly tool: false; readonly because: string };

/** Step in a run of the whole request collection; runs after the steps that set its variables. */
export interface RunStep {
  /** Replaces its tag. */
  readonly folder?: string;
  /** Removes something that the run has created, so it runs last. */
  readonly last?: true;
  /** Replaces the example. Variables are written as `{{name}}`. */
  readonly body?: unknown;
  /** Optional query parameters to set. */
  readonly query?: Readonly<Record<string, string>>;
  /** Variable of the collection → its path in the answer. */
  readonly keeps?: Readonly<Record<string, string>>;
}

interface AnySurface {
  /** Commands of `parley` that call it. */
  readonly cli?: readonly string[];
  /** An example of its body, where the schema has none and its required fields alone say nothing. */
  readonly example?: unknown;
  /** Absent where a run must skip it: it is destructive, or needs a person. */
  readonly run?: RunStep;
}

/** How an operation is offered beside HTTP. SDK, MCP server, reference and collection are made from it. */
export type Offers = AnySurface &
  (
    | { readonly surface: 'v1'; readonly sdk: SdkName<AccountNoun>; readonly mcp: McpTool }
    | { readonly surface: 'operator'; readonly sdk: SdkName<OperatorNoun>; readonly mcp?: never }
    | {
        /** `signed`: with a link that the gateway signed; `portal`: an owner signed in by cookie; `portal_entrance`: before the sign-in. */
        readonly surface: 'signed' | 'portal' | 'portal_entrance' | 'public';
        readonly sdk?: never;
        readonly mcp?: never;
      }
  );

export type Surface = Offers['surface'];

export interface SdkCall {
  readonly client: 'parley' | 'operator';
  readonly noun: string;
  readonly method: string;
}

/** Whether the SDK has a method for the operation. */
export function isInSdk<O extends Offers>(operation: O): operation is O & { readonly sdk: string } {
  return operation.sdk !== undefined;
}

type NamedOperation = Pick<Offers, 'surface'> & { readonly id: string; readonly sdk: string };

export function sdkCallOf({ id, surface, sdk }: NamedOperation): SdkCall {
  const [noun = '', method] = sdk.split('.');
  const singular = noun.charAt(0).toUpperCase() + noun.slice(1).replace(/s$/, '');
  return {
    client: surface === 'operator' ? 'operator' : 'parley',
    noun,
    method: method ?? id.replace(new RegExp(`${singular}s?`), ''),
  };
}

/** A file for examples: one pixel. */
export const EXAMPLE_PICTURE = {
  media_base64:
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  mimetype: 'image/png',
} as const;
