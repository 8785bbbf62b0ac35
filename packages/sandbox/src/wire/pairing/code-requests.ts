import type { PhoneNumber } from '../../world/index.ts';
import { createBoundedMap } from '../bounded-map.ts';
import { Refusal } from '../errors.ts';
import type { Clock } from '../ports.ts';
import { child, childBytes, type Node, textOf } from '../transport/nodes.ts';

/** A client's request for linking by code. */
export interface CodeRequest {
  readonly phone: PhoneNumber;
  readonly wrappedEphemeral: Buffer;
}

/** Reads a client's `companion_hello`; refuses as the network does: 400 for an invalid one, 429 for too many of them. */
export type CodeRequestReader = (hello: Node) => CodeRequest;

const WRAPPED_EPHEMERAL_BYTES = 80;
const NUMBER = /^[1-9]\d{4,14}$/;
/** Maximum requests for one number within the window. */
const REQUESTS = 10;
const WINDOW_MS = 10 * 60_000;

/** The phone shows it to its owner: `Browser (System)`, with known names only. */
const DISPLAY = /^(?<browser>[^()]+) \((?<system>[^()]+)\)$/;
const BROWSERS: ReadonlySet<string> = new Set([
  'Brave',
  'Chrome',
  'Chromium',
  'Edge',
  'Firefox',
  'IE',
  'Opera',
  'Safari',
  'Vivaldi',
]);
const SYSTEMS: ReadonlySet<string> = new Set([
  'Android',
  'Chrome OS',
  'Debian',
  'Fedora',
  'Linux',
  'Mac OS',
  'macOS',
  'Ubuntu',
  'Windows',
  'iOS',
]);

export function createCodeRequestReader(clock: Clock): CodeRequestReader {
  const asked = createBoundedMap<PhoneNumber, number[]>(10_000);

  const count = (phone: PhoneNumber): void => {
    const recent = (asked.get(phone) ?? []).filter((at) => at > clock.now() - WINDOW_MS);
    if (recent.length >= REQUESTS) throw new Refusal(429, 'rate-overlimit');
    asked.set(phone, [...recent, clock.now()]);
  };

  return (hello) => {
    const phone = hello.attrs.jid?.split('@')[0] ?? '';
    const wrappedEphemeral = childBytes(hello, 'link_code_pairing_wrapped_companion_ephemeral_pub');
    const display = textOf(child(hello, 'companion_platform_display')) ?? '';
    const wellFormed = NUMBER.test(phone) && wrappedEphemeral?.length === WRAPPED_EPHEMERAL_BYTES;
    if (!wellFormed || !isKnownName(display)) throw new Refusal(400, 'bad-request');
    count(phone);
    return { phone, wrappedEphemeral };
  };
}

function isKnownName(display: string): boolean {
  const { browser = '', system = '' } = DISPLAY.exec(display)?.groups ?? {};
  return BROWSERS.has(browser) && SYSTEMS.has(system);
}
