import { SEND_KINDS, type SendKindName } from './kinds.ts';
import { parseSend } from './parse.ts';

/** Small valid sends of each kind, and the people in them. */
export const from = { session_id: '15550001001:1@s.whatsapp.net' };
export const toAda = { ...from, to: '15550002001' };
export const toGroup = { ...from, to: '120363041234567890@g.us' };
export const ada = '15550002001@s.whatsapp.net';

/** Example of each kind without optional fields. */
export const samples = Object.fromEntries(
  Object.values(SEND_KINDS).map(({ kind, example }) => [
    kind,
    smallest({ ...example, ...addressIn(example) }),
  ]),
) as Readonly<Record<SendKindName, Readonly<Record<string, unknown>>>>;

function addressIn(example: object) {
  return 'to' in example ? toAda : from;
}

function smallest(body: Record<string, unknown>): Record<string, unknown> {
  return Object.keys(body).reduce((rest, field) => {
    const less = without(rest, field);
    return kindIn(less) === kindIn(rest) ? less : rest;
  }, body);
}

function kindIn(body: unknown): string | undefined {
  const result = parseSend(body);
  return result.ok ? result.send.kind : undefined;
}

export function accepted(body: unknown) {
  const result = parseSend(body);
  if (!result.ok) throw new Error(`refused: ${result.text}`);
  return result.send;
}

export function without(body: Record<string, unknown>, field: string) {
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== field));
}
