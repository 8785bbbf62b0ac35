import { Phone as PhoneNumber } from '@parley/contract';
import Type from 'typebox';
import { RATE_KINDS, type World } from '../../world/index.ts';
import { type ControlRoute, closed, phoneRoute } from '../route.ts';
import { phoneDetail } from '../views.ts';

const DAY_S = 86_400;
const Seconds = Type.Integer({ minimum: 0, maximum: 366 * DAY_S });
const Chats = Type.Integer({ minimum: 0, maximum: 1_000_000 });
const DEFAULT_TYPE = 'RESTRICT_ALL_COMPANIONS';
const MONTH_S = 30 * DAY_S;

/** Restrictions, caps and rate limits of an account that may log in, and the reports about it. */
export function standingRoutes(world: World): ControlRoute[] {
  const detail = (phone: string) => phoneDetail(world, world.phones.get(phone));
  return [
    phoneRoute(
      world,
      'POST',
      {
        path: '/restrict',
        status: 200,
        body: closed({
          type: Type.Optional(Type.String({ pattern: '^[A-Z][A-Z_]{0,63}$' })),
          for_s: Seconds,
        }),
      },
      ({ phone: { phone }, body: { type = DEFAULT_TYPE, for_s } }) => {
        world.standing.restrict(phone, { type, seconds: for_s });
        return detail(phone);
      },
    ),
    phoneRoute(
      world,
      'POST',
      {
        path: '/cap',
        status: 200,
        body: closed({
          quota: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
          used: Type.Optional(Chats),
          cycle_s: Type.Optional(Type.Integer({ minimum: 1, maximum: 366 * DAY_S })),
        }),
      },
      ({ phone: { phone }, body: { quota, used = 0, cycle_s = MONTH_S } }) => {
        world.standing.cap(phone, { quota, used, cycleSeconds: cycle_s });
        return detail(phone);
      },
    ),
    phoneRoute(
      world,
      'POST',
      {
        path: '/rate-overlimit',
        status: 204,
        body: closed({ kind: Type.Enum([...RATE_KINDS], { type: 'string' }), for_s: Seconds }),
      },
      ({ phone: { phone }, body: { kind, for_s } }) => {
        world.standing.limit(phone, kind, for_s);
      },
    ),
    phoneRoute(
      world,
      'POST',
      {
        path: '/block',
        status: 200,
        body: closed({ phone: PhoneNumber, blocked: Type.Optional(Type.Boolean()) }),
      },
      ({ phone: { phone }, body: { phone: who, blocked = true } }) => {
        const actor = { phone, device: 0 };
        if (blocked) world.blocklists.block(actor, who);
        else world.blocklists.unblock(actor, who);
        return detail(phone);
      },
    ),
    phoneRoute(
      world,
      'POST',
      { path: '/report', status: 204, body: closed({ phone: PhoneNumber }) },
      ({ phone: { phone }, body: { phone: who } }) => {
        world.standing.report(phone, who);
      },
    ),
  ];
}
