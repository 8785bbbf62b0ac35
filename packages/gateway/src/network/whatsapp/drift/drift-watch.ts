import type { DriftPart } from '@parley/contract';
import { type BinaryNode, proto, unpadRandomMax16, type WASocket } from 'baileys';
import { type Clock, decoded, neverRejects, type Timer } from '#kernel';
import type { Store } from '#platform/store';
import { fieldsOf } from '../convert/protobuf.ts';
import { type DriftEntry, keepDrift, keyOf, MOST_NAMES, OTHER } from '../gateway-queries.ts';
import type { Log } from '../guards/index.ts';
import { QUERY_REFUSED } from '../link/queries.ts';
import { UNDERSTOOD } from './understood.ts';

/**
 * Counts what the network sends and the driver does not understand, by kind: the network changes some weeks before
 * users notice. Shared by all connections of a driver. Keeps names and structure, no content.
 */
export interface DriftWatch {
  attach(sock: Pick<WASocket, 'ws'>): void;
  inspectMessage(plaintext: Uint8Array): void;
  stop(): Promise<void>;
}

interface DriftWatchParts {
  readonly store: Pick<Store, 'transaction'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Called for each unknown arrival, for metrics. */
  readonly onUnknown: (part: DriftPart, name: string) => void;
}

const FLUSH_MS = 5_000;

export function createDriftWatch({ store, clock, log, onUnknown }: DriftWatchParts): DriftWatch {
  const names = new Map<DriftPart, Set<string>>();
  let waiting = new Map<string, DriftEntry>();
  let timer: Timer | undefined;
  let flushing: Promise<void> = Promise.resolve();

  function boundedNameOf({ part, name }: Finding): string {
    const known = names.get(part) ?? new Set();
    names.set(part, known);
    if (known.size < MOST_NAMES) known.add(name);
    return known.has(name) ? name : OTHER;
  }

  function count(entry: DriftEntry): void {
    const before = waiting.get(keyOf(entry));
    waiting.set(
      keyOf(entry),
      before ? { ...before, count: before.count + entry.count, lastSeen: entry.lastSeen } : entry,
    );
  }

  function note(findings: readonly Finding[]): void {
    for (const found of findings) {
      const { part, sample } = found;
      const name = boundedNameOf(found);
      onUnknown(part, name);
      count({ part, name, sample, count: 1, firstSeen: clock.now(), lastSeen: clock.now() });
    }
    if (waiting.size > 0) timer ??= clock.after(FLUSH_MS, () => neverRejects(flush()));
  }

  /** One at a time; never rejects. */
  function flush(): Promise<void> {
    timer?.cancel();
    timer = undefined;
    flushing = flushing.then(write);
    return flushing;
  }

  async function write(): Promise<void> {
    const found = [...waiting.values()];
    if (found.length === 0) return;
    waiting = new Map();
    try {
      for (const { part, name } of await keepDrift(store, found, clock.now()))
        log.warn({ part, name }, 'the network sends something that the driver does not understand');
    } catch (error) {
      log.debug(
        { error: String(error) },
        'unknown arrivals could not be counted; they are with the next ones',
      );
      for (const entry of found) count(entry);
    }
  }

  return {
    attach(sock) {
      // The bytes of the handshake are frames too.
      sock.ws.on('frame', (frame: Partial<BinaryNode>) => {
        if (frame.tag !== undefined && frame.attrs)
          note(unknownIn({ ...frame, tag: frame.tag, attrs: frame.attrs }));
      });
      sock.ws.on(QUERY_REFUSED, (name: string) =>
        note([{ part: 'query', name: safeName(name), sample: 'query' }]),
      );
    },
    inspectMessage: (plaintext) => note(unknownInMessage(plaintext)),
    stop: flush,
  };
}

interface Finding {
  readonly part: DriftPart;
  readonly name: string;
  readonly sample: string;
}

/** The parts of a stanza that the driver does not understand. */
function unknownIn(stanza: BinaryNode): Finding[] {
  const found = (part: DriftPart, name: string): Finding => ({
    part,
    name: safeName(name),
    sample: outline(stanza),
  });
  const unlisted = (part: 'ib' | 'call'): Finding[] =>
    childrenOf(stanza).flatMap(({ tag }) => (includes(UNDERSTOOD[part], tag) ? [] : found(part, tag)));
  const { type, error } = stanza.attrs;
  switch (stanza.tag) {
    case 'notification':
      return unknownOfNotification(stanza).map(([part, name]) => found(part, name));
    case 'ib':
      return unlisted('ib');
    case 'call':
      return unlisted('call');
    case 'receipt':
      return type === undefined || includes(UNDERSTOOD.receipt, type) ? [] : [found('receipt', type)];
    case 'ack':
      return error === undefined || includes(UNDERSTOOD.ack, error) ? [] : [found('ack', error)];
    default:
      return includes(UNDERSTOOD.stanza, stanza.tag) ? [] : [found('stanza', stanza.tag)];
  }
}

function unknownOfNotification(stanza: BinaryNode): (readonly [DriftPart, string])[] {
  const { type = 'none' } = stanza.attrs;
  const children = Object.entries<readonly string[]>(UNDERSTOOD.notification).find(
    ([name]) => name === type,
  )?.[1];
  if (!children) return [['notification', type]];
  return childrenOf(stanza).flatMap(({ tag, attrs }): (readonly [DriftPart, string])[] => {
    if (!children.includes(tag)) return [['notification', `${type}/${tag}`]];
    const { op_name: operation } = attrs;
    const isKnown = type !== 'mex' || operation === undefined || includes(UNDERSTOOD.mex, operation);
    return isKnown ? [] : [['mex', operation]];
  });
}

const NAMES = new Map<number, string>(
  Object.entries(UNDERSTOOD.message).map(([name, field]) => [field, name]),
);
const PROTOCOL_TYPES: ReadonlySet<number> = new Set(Object.values(UNDERSTOOD.protocol));
/** Fields with a message inside, and its field there. */
const WRAPPERS = new Map<number, number>([
  [UNDERSTOOD.message.deviceSentMessage, 2],
  ...(
    [
      ...([
        'viewOnceMessage',
        'ephemeralMessage',
        'documentWithCaptionMessage',
        'viewOnceMessageV2',
      ] as const),
      ...(['editedMessage', 'viewOnceMessageV2Extension', 'associatedChildMessage'] as const),
      ...(['groupStatusMessage', 'groupStatusMessageV2'] as const),
    ] as const
  ).map((name) => [UNDERSTOOD.message[name], 1] as const),
]);
/** As many as the library unwraps. */
const MOST_WRAPPERS = 5;
const PROTOCOL_TYPE = 2;

/** The fields of a decrypted message that the driver does not understand. */
export function unknownInMessage(plaintext: Uint8Array): Finding[] {
  const message = decoded(() => unpadRandomMax16(plaintext));
  return message ? unknownFields(message, MOST_WRAPPERS) : [];
}

function unknownFields(message: Uint8Array, depth: number): Finding[] {
  const fields = [...fieldsOf(message)];
  const sample = bounded(fields.map(({ field }) => nameOfField(field)).join(' '));
  return fields.flatMap(({ field, value }): Finding[] => {
    if (!NAMES.has(field)) return [{ part: 'message', name: nameOfField(field), sample }];
    if (typeof value === 'number') return [];
    if (field === UNDERSTOOD.message.protocolMessage) return unknownProtocol(value, sample);
    const inner = WRAPPERS.get(field);
    if (inner === undefined || depth === 0) return [];
    const wrapped = [...fieldsOf(value)].find((each) => each.field === inner)?.value;
    return wrapped instanceof Uint8Array ? unknownFields(wrapped, depth - 1) : [];
  });
}

function unknownProtocol(message: Uint8Array, sample: string): Finding[] {
  const type = [...fieldsOf(message)].find(({ field }) => field === PROTOCOL_TYPE)?.value ?? 0;
  if (typeof type !== 'number' || PROTOCOL_TYPES.has(type)) return [];
  const name = proto.Message.ProtocolMessage.Type[type] ?? `type_${type}`;
  return [{ part: 'protocol', name: safeName(name), sample }];
}

/** Name of a message's field in the library's schema, which has no table of them: it decodes an empty one. */
function nameOfField(field: number): string {
  const key: number[] = [];
  for (let rest = field * 8 + 2; ; rest = Math.floor(rest / 128)) {
    key.push(rest < 128 ? rest : (rest % 128) + 128);
    if (rest < 128) break;
  }
  const [name] = Object.keys(decoded(() => proto.Message.decode(Uint8Array.from([...key, 0]))) ?? {});
  return name ?? `field_${field}`;
}

/** A name that is none may carry a number or a text. */
function safeName(name: string): string {
  return /^[\w:./-]{1,64}$/.test(name) && !/\d{5}/.test(name) ? name : 'unreadable';
}

const SAMPLE = { depth: 4, names: 12, characters: 400 } as const;

/** `tag[attribute names](children)`. */
function outline({ tag, attrs, content }: BinaryNode, depth: number = SAMPLE.depth): string {
  const names = Object.keys(attrs).slice(0, SAMPLE.names).map(safeName).join(' ');
  const inside = Array.isArray(content)
    ? content
        .slice(0, SAMPLE.names)
        .map((child) => (depth > 0 ? outline(child, depth - 1) : '…'))
        .join(' ')
    : content === undefined
      ? ''
      : 'bytes';
  return bounded(`${safeName(tag)}${names && `[${names}]`}${inside && `(${inside})`}`);
}

function bounded(sample: string): string {
  return sample.slice(0, SAMPLE.characters);
}

function includes(known: readonly string[], name: string): boolean {
  return known.includes(name);
}

function childrenOf({ content }: BinaryNode): readonly BinaryNode[] {
  return Array.isArray(content) ? content : [];
}
