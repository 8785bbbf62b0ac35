/** Made by `build/contract-module.ts`. */
declare module 'virtual:routes' {
  import type { Operation, OperationId } from '@parley/contract';

  export const routes: Readonly<Partial<Record<OperationId, readonly [Operation['method'], string]>>>;
}

/** Made by `build/contract-module.ts`. */
declare module 'virtual:send-kinds' {
  import type { SendKindName } from '@parley/contract';

  /** JSON Schema, limited to the keywords of messages. */
  export interface JsonSchema {
    readonly type?: string;
    readonly title?: string;
    readonly description?: string;
    readonly const?: unknown;
    readonly enum?: readonly string[];
    readonly anyOf?: readonly JsonSchema[];
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
    readonly items?: JsonSchema;
    readonly minItems?: number;
    readonly maxItems?: number;
    readonly minLength?: number;
    readonly maxLength?: number;
    readonly minimum?: number;
    readonly maximum?: number;
    readonly pattern?: string;
    readonly default?: unknown;
    readonly examples?: readonly unknown[];
    /** Completes the sentence `<field> must be …`. */
    readonly 'x-expects'?: string;
  }

  /** All message kinds, in the order of the documentation. */
  export const sendKinds: readonly {
    readonly kind: SendKindName;
    readonly summary: string;
    readonly description?: string;
    readonly example: Readonly<Record<string, unknown>>;
    readonly schema: JsonSchema;
  }[];
}
