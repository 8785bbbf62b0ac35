import Type from 'typebox';
import type { World } from '../../world/index.ts';
import { type ControlRoute, closed, phoneRoute } from '../route.ts';
import { requireSession } from '../sessions.ts';
import { phoneDetail } from '../views.ts';

/** The network's code for the reason of a ban. */
export const BanCode = Type.Integer({ minimum: 100, maximum: 199 });
export const BanSeconds = Type.Integer({ minimum: 0, maximum: 366 * 86_400 });

const TOO_MANY_STRANGERS = 101;

/** Sanctions of the network against an account. */
export function sanctionRoutes(world: World): ControlRoute[] {
  return [
    phoneRoute(
      world,
      'POST',
      { path: '/ban', status: 200, body: closed({ code: Type.Optional(BanCode), expire_s: BanSeconds }) },
      ({ phone: { phone }, body: { code = TOO_MANY_STRANGERS, expire_s } }) => {
        world.sanctions.ban(phone, { code, seconds: expire_s });
        return phoneDetail(world, world.phones.get(phone));
      },
    ),
    phoneRoute(
      world,
      'POST',
      { path: '/lock', status: 200, body: closed({ locked: Type.Optional(Type.Boolean()) }) },
      ({ phone: { phone }, body: { locked = true } }) => {
        world.sanctions.lock(phone, locked);
        return phoneDetail(world, world.phones.get(phone));
      },
    ),
    phoneRoute(
      world,
      'POST',
      {
        path: '/remove-device',
        status: 204,
        body: closed({ session_id: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })) }),
      },
      ({ phone, body: { session_id } }) => {
        const removed =
          session_id === undefined
            ? world.devices.of(phone.phone)
            : [requireSession(world, session_id, { owner: phone })];
        for (const { sessionId } of removed) world.devices.unlink(sessionId);
      },
    ),
  ];
}
