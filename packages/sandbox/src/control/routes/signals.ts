import Type from 'typebox';
import type { World } from '../../world/index.ts';
import { type ControlRoute, closed, phoneRoute } from '../route.ts';

const address = Type.String({ minLength: 1, maxLength: 256 });

/** What leaves no message: typing, presence, calls. */
export function signalRoutes(world: World): ControlRoute[] {
  return [
    phoneRoute(
      world,
      'POST',
      {
        path: '/typing',
        status: 204,
        body: closed({
          to: address,
          typing: Type.Optional(Type.Boolean()),
          media: Type.Optional(Type.Enum(['text', 'audio'], { type: 'string' })),
        }),
      },
      ({ phone, body: { to, typing = true, media = 'text' } }) =>
        world.presence.typing({ phone: phone.phone, device: 0 }, to, { typing, media }),
    ),
    phoneRoute(
      world,
      'POST',
      {
        path: '/presence',
        status: 204,
        body: closed({
          online: Type.Boolean(),
          last_seen_unix: Type.Optional(Type.Integer({ minimum: 0 })),
        }),
      },
      ({ phone, body: { online, last_seen_unix } }) =>
        world.presence.set(
          { phone: phone.phone, device: 0 },
          { online, ...(last_seen_unix !== undefined && { lastSeenAt: last_seen_unix * 1_000 }) },
        ),
    ),
    phoneRoute(
      world,
      'POST',
      {
        path: '/calls',
        status: 201,
        body: closed({ to: address, video: Type.Optional(Type.Boolean()) }),
      },
      ({ phone, body: { to, video = false } }) => ({
        call_id: world.calls.offer({ phone: phone.phone, device: 0 }, to, { video }).id,
      }),
    ),
    phoneRoute(
      world,
      'POST',
      {
        path: '/calls/:call_id/terminate',
        status: 204,
        body: closed({ reason: Type.Optional(Type.String({ maxLength: 256 })) }),
      },
      ({ phone, params, body }) => {
        world.calls.terminate({ phone: phone.phone, device: 0 }, params.call_id ?? '', body.reason);
      },
    ),
  ];
}
