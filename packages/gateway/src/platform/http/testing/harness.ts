import { compileRequest, type Operation, operations, PASSKEY_CREDENTIAL_EXAMPLE } from '@parley/contract';

export const allOperations: readonly Operation[] = Object.values(operations);

/** Names of an account's resources in paths and bodies. */
export interface Things {
  readonly sessionId: string;
  readonly phone: string;
  readonly slotId: string;
  readonly accountId: string;
  readonly keyId: string;
  /** Absent while the account has none. */
  readonly webhookId?: string | undefined;
  readonly onboardId?: string | undefined;
  readonly mediaId?: string | undefined;
}

export interface SampleRequest {
  readonly url: string;
  readonly body: unknown;
}

/** A request that satisfies the operation's schema and refers to the given resources. */
export function sampleRequest(operation: Operation, things: Things): SampleRequest {
  const named = namesIn(operation, things);
  const params = sampleFields(operation.params, named);
  const query = sampleFields(operation.query, {});
  const body = operation.body && sampleBody(operation, named);
  const judged = compileRequest(operation)({ params, query, body });
  if (!judged.ok) throw new Error(`The sample of ${operation.id} is not good: ${judged.text}`);
  const url = operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  return { url, body };
}

/** Values of the fields that refer to the given resources. */
function namesIn({ subject, surface }: Operation, things: Things): Record<string, unknown> {
  const ids: Record<string, string | undefined> = {
    session: things.sessionId,
    webhook: things.webhookId,
    onboarding: things.onboardId,
    media: things.mediaId,
  };
  return {
    id: ids[subject ?? ''] ?? 'none_01j9z6m4k2',
    session_id: things.sessionId,
    slot_id: things.slotId,
    account_id: things.accountId,
    key_id: things.keyId,
    // Operators register a new number; everywhere else it is one of the account's own.
    ...(surface !== 'operator' && { phone: things.phone }),
  };
}

/** Valid values where the schema alone does not determine them. */
const CHOSEN_FIELDS: Record<string, object> = {
  answerPasskey: PASSKEY_CREDENTIAL_EXAMPLE,
  answerSessionPasskey: PASSKEY_CREDENTIAL_EXAMPLE,
  answerLoginPasskey: PASSKEY_CREDENTIAL_EXAMPLE,
  answerPairing: PASSKEY_CREDENTIAL_EXAMPLE,
  answerOwnerLink: PASSKEY_CREDENTIAL_EXAMPLE,
  changeGroupSettings: { announce: true },
  joinGroup: { link: 'https://chat.whatsapp.com/AbCdEfGhIjKlMnOpQrStUv' },
  followNewsletter: { channel: '120363107654321098@newsletter' },
  postToNewsletter: { text: 'High tide at noon' },
  reactInNewsletter: { reaction: '👍' },
  sendMessage: { to: '15550002001', text: 'Hello' },
  setGroupPhoto: { image_url: '' },
  setProfilePhoto: { image_url: '' },
  testSend: { to: '15550002001', text: 'Hello' },
};
/** Their schema is a union, which the sample does not look into. */
const IS_A_SEND: ReadonlySet<string> = new Set(['sendMessage', 'testSend']);

function sampleBody({ id, body }: Operation, named: Record<string, unknown>): unknown {
  const chosen = CHOSEN_FIELDS[id];
  const { session_id } = named;
  return { ...(IS_A_SEND.has(id) && { session_id }), ...sampleFields(body, named), ...chosen };
}

/** The parts of a schema that a sample is made of. */
export interface Schema {
  readonly type?: string;
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly minLength?: number;
  readonly pattern?: string;
}

/** The required fields of an object, with the given values where named. */
function sampleFields(schema: Schema | undefined, named: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries(schema?.properties ?? {}).filter(([name]) =>
    schema?.required?.includes(name),
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, named[name] ?? sampleOf(field)]));
}

export function sampleOf(schema: Schema): unknown {
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0]);
  if (schema.properties) return sampleFields(schema, {});
  if (schema.items) return [sampleOf(schema.items)];
  if (schema.type === 'boolean') return true;
  if (schema.pattern && !schema.minLength && new RegExp(schema.pattern).test('')) return '';
  if (schema.type === 'string') return 'x'.repeat(Math.max(1, schema.minLength ?? 1));
  return schema.minimum ?? 1;
}
