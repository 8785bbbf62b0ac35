import { Phone as PhoneNumber } from '@parley/contract';
import Type from 'typebox';
import { type ClientVersion, type FaultKind, PASSKEY_FAULTS, type World } from '../../world/index.ts';
import { Refusal } from '../errors.ts';
import { type ControlRoute, closed, route } from '../route.ts';
import { requireSession } from '../sessions.ts';
import { unix } from '../views.ts';
import { armPasskeyFault, isPasskeyFault } from './passkeys.ts';
import { BanCode, BanSeconds } from './sanctions.ts';

/** Advances time for the whole process: the gateway's own clock fits. */
export interface ClockControl {
  /** Milliseconds since 1970. */
  now(): number;
  advance(ms: number): void | Promise<void>;
}

const longestJumpSeconds = 10 * 366 * 86_400;

const FAULTS = [
  'disconnect',
  'send_transient',
  'send_permanent',
  'slow',
  'no_ack',
  'media_download',
  'media_gone',
  'refuse_login',
  'stream_error',
  'deaf',
  'undecryptable',
  'unavailable',
  'unavailable_hosted',
  'unavailable_bot',
] as const satisfies FaultKind[];
/** They carry a reason code. */
const NEED_CODE: readonly FaultKind[] = ['refuse_login', 'stream_error'];
const TAKE_CODE: readonly FaultKind[] = [...NEED_CODE, 'send_permanent'];

const Fault = closed({
  session_id: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  phone: Type.Optional(PhoneNumber),
  fault: Type.Enum([...FAULTS, ...PASSKEY_FAULTS], { type: 'string' }),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400_000 })),
  code: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
  reason_code: Type.Optional(BanCode),
  expire_s: Type.Optional(BanSeconds),
  for_s: Type.Optional(Type.Integer({ minimum: 1, maximum: 366 * 86_400 })),
});

const Version = Type.Optional(Type.String({ pattern: '^\\d{1,9}\\.\\d{1,9}\\.\\d{1,10}$' }));
const Versions = closed({
  minimum_version: Version,
  current_version: Version,
  old_refused_at_unix: Type.Optional(Type.Integer({ minimum: 1 })),
});

function readVersion(text: string | undefined): ClientVersion | undefined {
  const [primary, secondary, tertiary] = text?.split('.').map(Number) ?? [];
  if (primary === undefined || secondary === undefined || tertiary === undefined) return undefined;
  return [primary, secondary, tertiary];
}

const DAY_S = 86_400;
/** A rule that is left out is off. */
const Rules = closed({
  restrict_after_new_chats_per_day: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  restrict_for_s: Type.Optional(Type.Integer({ minimum: 1, maximum: 366 * DAY_S })),
  hide_devices_of_numbers: Type.Optional(Type.Boolean()),
  few_keys: Type.Optional(Type.Boolean()),
  broken_media_hosts: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 })),
});

function rulesView({ standing }: World) {
  const rules = standing.rules();
  const { restrictAfterNewChatsPerDay, restrictForSeconds, hideDevicesOfNumbers, fewKeys } = rules;
  return {
    restrict_after_new_chats_per_day: restrictAfterNewChatsPerDay,
    restrict_for_s: restrictForSeconds,
    hide_devices_of_numbers: hideDevicesOfNumbers,
    few_keys: fewKeys,
    broken_media_hosts: rules.brokenMediaHosts,
  };
}

function clientsView(world: World) {
  const { minimum, current, oldRefusedAt } = world.clients.versions();
  return {
    ...{ minimum_version: minimum?.join('.') ?? '', current_version: current?.join('.') ?? '' },
    ...(oldRefusedAt !== undefined && { old_refused_at_unix: unix(oldRefusedAt) }),
  };
}

/** Routes for faults, rules, client versions and the clock. */
export function conditionRoutes(world: World, clock: ClockControl): ControlRoute[] {
  const now = () => ({ now_unix: unix(clock.now()) });
  return [
    route('POST', { path: '/faults', status: 201, forGuests: true, body: Fault }, ({ guest, body }) => {
      const { session_id, phone, fault, count = 1, ms = 0, code, reason_code, expire_s, for_s } = body;
      if (isPasskeyFault(fault)) return armPasskeyFault(world, guest, { phone, fault, count });
      if (session_id === undefined) throw new Refusal(400, 'session_id is required');
      const { sessionId } = requireSession(world, session_id, { guest });
      if (code === undefined ? NEED_CODE.includes(fault) : !TAKE_CODE.includes(fault)) {
        throw new Refusal(
          400,
          `code is for ${NEED_CODE.join(' and ')}, which need it, and for send_permanent`,
        );
      }
      if (for_s !== undefined && fault !== 'slow') throw new Refusal(400, 'for_s is for slow alone');
      if (for_s !== undefined) {
        world.faults.arm(sessionId, { kind: 'slow_link', count: 1, ms, lastsMs: for_s * 1_000 });
        return { session_id: sessionId, fault, ms, for_s };
      }
      const reasonFields = {
        ...(code !== undefined && { code }),
        ...(reason_code !== undefined && { reasonCode: reason_code }),
        ...(expire_s !== undefined && { expireSeconds: expire_s }),
      };
      world.faults.arm(sessionId, { kind: fault, count, ms, ...reasonFields });
      return { session_id: sessionId, fault, count, ms, ...(code !== undefined && { code }) };
    }),
    // Not for guests: one network is shared by all of them.
    route('GET', { path: '/clients', status: 200 }, () => clientsView(world)),
    route('PUT', { path: '/clients', status: 200, body: Versions }, ({ body }) => {
      const [minimum, current] = [body.minimum_version, body.current_version].map(readVersion);
      const refusedAt = body.old_refused_at_unix;
      if (refusedAt !== undefined && !current)
        throw new Refusal(400, 'old_refused_at_unix needs current_version');
      world.clients.demand({
        ...(minimum && { minimum }),
        ...(current && { current }),
        ...(refusedAt !== undefined && { oldRefusedAt: refusedAt * 1_000 }),
      });
      return clientsView(world);
    }),
    route('GET', { path: '/rules', status: 200 }, () => rulesView(world)),
    route('PUT', { path: '/rules', status: 200, body: Rules }, ({ body }) => {
      world.standing.setRules({
        restrictAfterNewChatsPerDay: body.restrict_after_new_chats_per_day ?? 0,
        restrictForSeconds: body.restrict_for_s ?? DAY_S,
        hideDevicesOfNumbers: body.hide_devices_of_numbers ?? false,
        fewKeys: body.few_keys ?? false,
        brokenMediaHosts: body.broken_media_hosts ?? 0,
      });
      return rulesView(world);
    }),
    route('GET', { path: '/clock', status: 200, forGuests: true }, now),
    // Not for guests: one clock is shared by all of them.
    route(
      'POST',
      {
        path: '/clock',
        status: 200,
        body: closed({ advance_seconds: Type.Number({ minimum: 0, maximum: longestJumpSeconds }) }),
      },
      async ({ body }) => {
        await clock.advance(body.advance_seconds * 1_000);
        return now();
      },
    ),
  ];
}
