import type { Random } from './random.ts';
import type { Clock } from './time/clock.ts';

/**
 * Generators of ids. All begin with the time, so that new rows are adjacent at the end of an index; the rest is random, so that ids
 * cannot be guessed.
 */
export interface Ids {
  account(): string;
  slot(): string;
  key(): string;
  onboarding(): string;
  link(): string;
  webhook(): string;
  delivery(): string;
  /** Deliveries that are queued again together. */
  replay(): string;
  event(): string;
  invoice(): string;
  notice(): string;
  history(): string;
  media(): string;
  member(): string;
  invitation(): string;
  /** An export of an account. */
  export(): string;
  mail(): string;
  request(): string;
  /** In the format of the network's own web clients. */
  message(): string;
}

export function createIds({ clock, random }: { clock: Pick<Clock, 'now'>; random: Random }): Ids {
  const process = timeOrdered(clock.now(), random);
  let requests = 0;
  const prefixed = (prefix: string) => (): string => `${prefix}_${timeOrdered(clock.now(), random)}`;
  return {
    account: prefixed('acc'),
    slot: prefixed('slot'),
    // The key id is part of the key itself (`pk_<id>_<secret>`), so it has no prefix of its own.
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
    // Created for every request, so it only counts up from a random start.
    request: () => `req_${process}${(requests++).toString(36)}`,
    message: createMessageIds({ clock, random }),
  };
}

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
const CHANCE_DIGITS = 14;

/** 50 bits of milliseconds and 70 random bits, in Crockford's base 32: sorts by time as plain text. */
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
/** Parts of a second: 12 bits, before 28 random bits. */
const SLICES = 0x1000;
const SLICE_SIZE = 0x1000_0000;
/** Left free above a slice's random start, for the ids that count up from it. */
const SLICE_RESERVE = 0x10_0000;

/**
 * `3EB0` and 18 hex digits, as the network's web clients generate them: here the second, its slice, and random bits. Within a slice
 * they count up from a random start: each follows the previous one in an index, and ids of one process never collide.
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

/** Lower bound of message ids of a moment: ids generated earlier are less, as plain text. */
export function messageIdAt(nowMs: number): string {
  const second = Math.floor(nowMs / 1_000).toString(16);
  return MESSAGE_ID_PREFIX + second.padStart(8, '0').toUpperCase();
}
