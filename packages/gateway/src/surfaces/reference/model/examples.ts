import { type Operation, type Subject, successStatus } from '@parley/contract';
import type { JsonSchema } from './fields.ts';

/** Values for fields without an example in the contract. */
const BY_FIELD: Readonly<Record<string, unknown>> = {
  account_id: 'acc_01j9z6m4k2',
  api_key: 'pk_4fzyo82m_Zt0bq1cXwN7eRk5u',
  business_name: '',
  connection_url: '',
  delivery_id: 'dlv_01j9z6m4k2',
  email: 'ada@example.com',
  events_url: '',
  key_id: 'key_01j9z6m4k2',
  member_id: 'mem_01j9z6m4k2',
  invoice_id: 'inv_01j9z6m4k2',
  quarantine_id: 'qua_4fzyo82m1x7c9b3d5e6f0g',
  name: 'Harbour Books',
  partner_limits: null,
  per_minute: 60,
  per_period: 250_000,
  quota: 50_000,
  sender_name: 'Ada King',
  session_id: '15550001001:1@s.whatsapp.net',
  sessions: 12,
  slot_id: 'slot_01j9z6m4k2',
  text: 'Is the harbour open on Sunday?',
  tos_accepted_version: '2026-07',
  url: 'https://gateway.example.com/terms/2026-07',
  used: 1284,
  version: '2026-07',
  worker: 'worker-1',
};

/** `{id}` has another meaning on every path. */
const BY_SUBJECT: Partial<Record<Subject, string>> = {
  onboarding: 'onb_01j9z6m4k2',
  webhook: 'wh_01j9z6m4k2',
};

/** Example value of a schema: its own, or one built from its required parts. */
export function exampleOf(schema: JsonSchema, name = ''): unknown {
  const { examples, const: constant, enum: choices, properties, required = [], items, anyOf } = schema;
  if (examples?.[0] !== undefined) return examples[0];
  if (constant !== undefined) return constant;
  if (choices?.[0] !== undefined) return choices[0];
  if (properties !== undefined) {
    const parts = Object.entries(properties).filter(([part]) => required.includes(part));
    return Object.fromEntries(parts.map(([part, property]) => [part, exampleOf(property, part)]));
  }
  if (items !== undefined) return [exampleOf(items, name)];
  if (schema.type === 'boolean') return false;
  return Object.hasOwn(BY_FIELD, name) ? BY_FIELD[name] : anyOf?.[0] && exampleOf(anyOf[0], name);
}

export function exampleParams({ params, subject }: Operation): Record<string, string> {
  const schema: JsonSchema = params ?? {};
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => {
      const value = (name === 'id' && subject && BY_SUBJECT[subject]) || exampleOf(property, name);
      return [name, String(value)];
    }),
  );
}

/** Required fields of the query. */
export function exampleQuery({ query }: Operation): Record<string, string> {
  return requiredOf(query ?? {});
}

export function exampleHeaders({ headers }: Operation): Record<string, string> {
  return requiredOf(headers ?? {});
}

function requiredOf(schema: JsonSchema): Record<string, string> {
  return Object.fromEntries(
    (schema.required ?? []).map((name) => [name, String(exampleOf(schema.properties?.[name] ?? {}))]),
  );
}

/** Undefined when the operation takes no body. */
export function exampleBody({ example, body }: Operation): unknown {
  return example ?? (body && exampleOf(body));
}

/** Undefined when the answer has no JSON body. */
export function exampleAnswer(operation: Operation, status = successStatus(operation)): unknown {
  const schema = operation.answers[status];
  return schema && operation.answerType === undefined ? exampleOf(schema) : undefined;
}
