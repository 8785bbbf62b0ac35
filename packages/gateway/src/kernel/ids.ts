import type { Random } from './random.ts';
import type { Clock } from './time/clock.ts';

/**
 * Makers of identifiers. All of them begin with the time, so that new rows land side by side at the end of an index instead of all over
 * it; what follows is random, so that nobody guesses a neighbour's.
 */
export interface Ids {
  account(): string;
  slot(): string;
  key(): string;
  onboarding(): string;
  link(): string;
  webhook(): string;
  delivery(): string;
  /** Of deliveries that are queued again together. */
  replay(): string;
  event(): string;
  invoice(): string;
  notice(): string;
  history(): string;
  media(): string;
  member(): string;
  invitation(): string;
  /** Of all that an account has. */
  export(): string;
  mail(): string;
  request(): string;
  /** In the shape that the network's own web clients use. */
  message(): string;
}

export function createIds({ clock, random }: { clock: Pick<Clock, 'now'>; random: Random }): Ids {
  const process = timeOrdered(clock.now(), random);
  let requests = 0;
  const prefixed = (prefix: string) => (): string => `${prefix}_${timeOrdered(clock.now(), random)}`;
  return {
    account: prefixed('acc'),
    slot: prefixed('slot'),
    // The key id stands inside the key itself (`pk_<id>_<secret>`), so it carries no prefix of its own.
    key: () => timeOrdered(clock.now(), random),
    onboarding: prefixed('onb'),
    link: prefixed('link'),
    webhook: prefixed('wh'),
    delivery: prefixed('dl'),
    replay: prefixed('rp'),
    event: prefixed('ev'),
    invoice: prefixed('inv'),
    notice: prefixed('ntc'),
    history: prefixed('hist'),
    media: prefixed('med'),
    member: prefixed('mem'),
    invitation: prefixed('invt'),
    export: prefixed('exp'),
    mail: prefixed('mail'),
    // Made for every request, so it only counts on from a random start.
    request: () => `req_${process}${(requests++).toString(36)}`,
    message: createMessageIds({ clock, random }),
  };
}

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
const CHANCE_DIGITS = 14;

/** 50 bits of milliseconds and 70 bits of chance, in Crockford's base 32: sorts by time as plain text. */
function timeOrdered(nowMs: number, random: Random): string {
  let time = '';
  for (let digit = 0, rest = nowMs; digit < TIME_DIGITS; digit++, rest = Math.floor(rest / 32)) {
    time = BASE32.charAt(rest % 32) + time;
  }
  let chance = '';
  for (const byte of random.bytes(CHANCE_DIGITS)) chance += BASE32.charAt(byte & 31);
  return time + chance;
}

const MESSAGE_ID_PREFIX = '3EB0';
/** Of a second: 12 bits, before 28 bits of chance. */
const SLICES = 0x1000;
const SLICE_SIZE = 0x1000_0000;
/** Left free above a slice's random start, for the ids that count on from it. */
const SLICE_RESERVE = 0x10_0000;

/**
 * `3EB0` and 18 hex digits, as the network's web clients make them: here the second, its slice, and chance. Within a slice they count
 * on from a random start: each then lands right behind the one before it in an index, and two that one process makes never meet.
 */
function createMessageIds({ clock, random }: { clock: Pick<Clock, 'now'>; random: Random }): () => string {
  let lastSlice = 0;
  let last = 0;
  return () => {
    const now = clock.now();
    const slice = Math.floor((now / 1_000) * SLICES);
    last = slice === lastSlice ? last + 1 : startOf(slice, random);
    lastSlice = slice;
    return messageIdAt(now) + last.toString(16).padStart(10, '0').toUpperCase();
  };
}

function startOf(slice: number, random: Random): number {
  const [a = 0, b = 0, c = 0, d = 0] = random.bytes(4);
  const chance = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  return (slice % SLICES) * SLICE_SIZE + (chance % (SLICE_SIZE - SLICE_RESERVE));
}

/** Where the message ids of a moment begin: all that were made before it are less, as plain text. */
export function messageIdAt(nowMs: number): string {
  const second = Math.floor(nowMs / 1_000).toString(16);
  return MESSAGE_ID_PREFIX + second.padStart(8, '0').toUpperCase();
}
