import { type EventKind, type PublicEvent, REDACTED_FIELDS, redactedMarker } from '@parley/contract';

/** A copy of the event without its content; the very same object when it has none. */
export function redact(event: PublicEvent): PublicEvent {
  return REDACTED_FIELDS[event.kind].reduce<PublicEvent>(
    (copy, path) => redactPath(copy, path.split('.')) as PublicEvent,
    event,
  );
}

/** Null when there is nothing to redact. */
export function redactJson(kind: EventKind, event: string): string | null {
  return REDACTED_FIELDS[kind].length === 0 ? null : JSON.stringify(redact(JSON.parse(event)));
}

/** Copies only what lies on the path, so that an untouched event stays the same object. */
function redactPath(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return marker(value);
  if (step === '*') return Array.isArray(value) ? value.map((item) => redactPath(item, rest)) : value;
  if (!isRecord(value) || value[step] === undefined) return value;
  return { ...value, [step]: redactPath(value[step], rest) };
}

/** Counts what the field takes in the payload, as UTF-8; a number counts as it is written. */
function marker(content: unknown): string {
  return redactedMarker(Buffer.byteLength(String(content), 'utf8'));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
