import { HANDLING, type Handling, type PublicEvent, redactedMarker } from '@parley/contract';

/** A copy of the event without its content; the very same object when it has none. */
export function redact(event: PublicEvent): PublicEvent {
  return treat(event, HANDLING[event.kind]) as PublicEvent;
}

/** Null when there is nothing to redact. */
export function redactJson(event: string): string | null {
  const full: PublicEvent = JSON.parse(event);
  const redacted = redact(full);
  return redacted === full ? null : JSON.stringify(redacted);
}

function treat(value: unknown, handling: Handling): unknown {
  if (handling === 'kept' || value === undefined) return value;
  if (handling === 'content') return marker(value);
  if ('items' in handling) return Array.isArray(value) ? treatItems(value, handling.items) : marker(value);
  return isRecord(value) ? treatFields(value, handling.fields) : marker(value);
}

/** Copied only when something changes, so that an untouched event stays the same object. What the contract does not know is content. */
function treatFields(value: Record<string, unknown>, fields: Readonly<Record<string, Handling>>): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const name in value) {
    const treated = treat(value[name], fields[name] ?? 'content');
    if (treated === value[name]) continue;
    copy ??= { ...value };
    copy[name] = treated;
  }
  return copy ?? value;
}

function treatItems(value: readonly unknown[], items: Handling): unknown {
  return items === 'kept' || value.length === 0 ? value : value.map((item) => treat(item, items));
}

/** Counts what the field takes in the payload, as UTF-8; a number counts as it is written. */
function marker(content: unknown): string {
  const written = typeof content === 'string' ? content : JSON.stringify(content);
  return redactedMarker(Buffer.byteLength(written, 'utf8'));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
