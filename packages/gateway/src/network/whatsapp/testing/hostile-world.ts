import type { BinaryNode } from 'baileys';
import type { OutboundMessage } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import type { NetworkDriver, NetworkSession } from '../../port.ts';
import type { Harness } from '../../testing/conformance/harness.ts';
import { startWireHarness } from './fixture.ts';

/** Frequency of each fault, per thousand stanzas that it applies to. */
const OFTEN = { unavailable: 50, unacceptable: 50, restricted: 30, restart: 40, rateOverlimit: 30 };
const RATE_LIMITED: ReadonlySet<string> = new Set(['usync', 'w:g2']);
const NUMBERS = '@s.whatsapp.net';
/** Not codes of the network: violations that the driver must never commit. */
const TO_A_NUMBER = 1;
const HAMMERED = 2;

/**
 * For the conformance suite: a network that refuses stanzas and closes connections at random, and never accepts
 * a direct message to a phone number. Its callers act as the outbox and people do: they retry what may succeed
 * later.
 */
export async function startHostileWorld(chance: Chance, met: Set<number>): Promise<Harness> {
  const harness = await startWireHarness();
  /** Messages refused so once; clients look everything up again after that. */
  const unacceptable = new Set<string>();
  /** Restricted messages, until a caller that knows of the refusal sends them again. */
  const restricted = new Map<string, 'refused' | 'reported'>();

  /** The fault for this stanza, if any. */
  function hostility(stanza: BinaryNode): { code: number; answer: BinaryNode } | undefined {
    const { tag, attrs } = stanza;
    if (tag === 'iq') {
      const limited = RATE_LIMITED.has(attrs.xmlns ?? '') && chance(OFTEN.rateOverlimit);
      return limited ? { code: 429, answer: rateOverlimit(attrs.id) } : undefined;
    }
    if (tag !== 'message' || attrs.category === 'peer') return undefined;
    if (attrs.to?.endsWith(NUMBERS)) return { ...refused(stanza, 463), code: TO_A_NUMBER };
    const state = restricted.get(attrs.id ?? '');
    // A retry of the driver without its caller would count against the number.
    if (state === 'refused') return { ...refused(stanza, 463), code: HAMMERED };
    if (!state && isFirstWord(stanza) && chance(OFTEN.restricted)) {
      restricted.set(attrs.id ?? '', 'refused');
      return refused(stanza, 463);
    }
    if (chance(OFTEN.restart)) return { code: 515, answer: { tag: 'stream:error', attrs: { code: '515' } } };
    if (chance(OFTEN.unavailable)) return refused(stanza, 503);
    if (unacceptable.has(attrs.id ?? '') || !chance(OFTEN.unacceptable)) return undefined;
    unacceptable.add(attrs.id ?? '');
    return refused(stanza, 479);
  }

  harness.intercept((stanza) => {
    const done = hostility(stanza);
    if (done) met.add(done.code);
    return done?.answer;
  });

  /** Whether the network refused the message at random and its sender knows it. */
  function acknowledgeRefusal(messageId: string): boolean {
    const isRestricted = restricted.has(messageId);
    if (isRestricted) restricted.set(messageId, 'reported');
    return isRestricted;
  }

  const patience: Patience = { acknowledgeRefusal, pause: () => harness.advance(PAUSE_MS) };

  return {
    world: harness.world,
    pairing: harness.wire.pairing,
    get driver() {
      return patient(harness.driver, patience);
    },
    restart: async () => patient(await harness.crash(), patience),
    advance: harness.advance,
    ticks: true,
    dispose: harness.dispose,
  };
}

/** True for this many of a thousand calls. */
type Chance = (ofThousand: number) => boolean;

export function createChance(seed: number): Chance {
  let state = seed;
  return (ofThousand) => {
    // A linear congruential generator, for the same sequence in each run.
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (state / 2_147_483_648) * 1_000 < ofThousand;
  };
}

/** To a person with all of their devices; not a copy for one device. */
function isFirstWord({ attrs, content }: BinaryNode): boolean {
  const children = Array.isArray(content) ? content : [];
  return attrs.to?.endsWith('@lid') === true && children.some(({ tag }) => tag === 'participants');
}

function refused({ attrs }: BinaryNode, code: number): { code: number; answer: BinaryNode } {
  const { id = '', to = '' } = attrs;
  const ack = { class: 'message', id, from: to, t: '1', error: String(code) };
  return { code, answer: { tag: 'ack', attrs: ack } };
}

function rateOverlimit(id = ''): BinaryNode {
  const error = { tag: 'error', attrs: { code: '429', text: 'rate-overlimit' } };
  return { tag: 'iq', attrs: { id, type: 'error', from: 's.whatsapp.net' }, content: [error] };
}

const MOST_TRIES = 300;
/** On the driver's clock, so that a pause that the network asked for also passes within the tries. */
const PAUSE_MS = 1_000;
const PASSING: ReadonlySet<string> = new Set(['transient', 'offline']);

async function withRetries<T>(
  pause: () => Promise<void>,
  call: () => Promise<T>,
  maySayAgain = () => false,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof NetworkError) || tries === MOST_TRIES) throw error;
      if (!PASSING.has(error.kind) && !maySayAgain()) throw error;
      await pause();
    }
  }
}

interface Patience {
  acknowledgeRefusal(messageId: string): boolean;
  pause(): Promise<void>;
}

function patient(driver: NetworkDriver, { acknowledgeRefusal, pause }: Patience): NetworkDriver {
  return {
    ...driver,
    open(request) {
      const session = driver.open(request);
      const part = <T extends object>(operations: T): T =>
        new Proxy(operations, {
          get(target, name) {
            const value: unknown = Reflect.get(target, name);
            if (typeof value !== 'function') return value;
            return (...values: unknown[]) => {
              const answer: unknown = Reflect.apply(value, target, values);
              if (!(answer instanceof Promise)) return answer;
              let first: Promise<unknown> | undefined = answer;
              return withRetries(pause, () => {
                const attempt = first ?? Reflect.apply(value, target, values);
                first = undefined;
                return attempt;
              });
            };
          },
        });
      const parts: Partial<NetworkSession> = {
        groups: part(session.groups),
        contacts: part(session.contacts),
        channels: part(session.channels),
        presence: part(session.presence),
        calls: part(session.calls),
        chats: part(session.chats),
      };
      return new Proxy(session, {
        get(target, name) {
          if (name === 'send') {
            return (message: OutboundMessage) =>
              withRetries(
                pause,
                () => target.send(message),
                () => acknowledgeRefusal(message.messageId),
              );
          }
          return Reflect.get(parts, name) ?? Reflect.get(target, name);
        },
      });
    },
  };
}
