import Type from 'typebox';
import type { ChatChange, World } from '../../world/index.ts';
import { type ControlRoute, closed, phoneRoute } from '../route.ts';

const On = closed({ on: Type.Optional(Type.Boolean()) });
const Mute = closed({
  on: Type.Optional(Type.Boolean()),
  until_unix: Type.Optional(Type.Integer({ minimum: 1 })),
});

/** What the owner of a phone does with a chat, for themselves alone. */
export function chatActionRoutes(world: World): ControlRoute[] {
  const change = (phone: string, params: Record<string, string>, order: ChatChange): void =>
    world.chatStates.change({ phone, device: 0 }, params.chat ?? '', order);
  const shape = (action: string) => ({ path: `/chats/:chat/${action}`, status: 204 }) as const;
  return [
    phoneRoute(world, 'POST', shape('read'), ({ phone, params }) =>
      change(phone.phone, params, { type: 'unread', on: false }),
    ),
    phoneRoute(world, 'POST', shape('unread'), ({ phone, params }) =>
      change(phone.phone, params, { type: 'unread', on: true }),
    ),
    phoneRoute(world, 'POST', { ...shape('archive'), body: On }, ({ phone, params, body: { on = true } }) =>
      change(phone.phone, params, { type: 'archive', on }),
    ),
    phoneRoute(world, 'POST', { ...shape('pin'), body: On }, ({ phone, params, body: { on = true } }) =>
      change(phone.phone, params, { type: 'pin', on }),
    ),
    phoneRoute(world, 'POST', { ...shape('mute'), body: Mute }, ({ phone, params, body }) => {
      const { on = true, until_unix } = body;
      const until = until_unix === undefined ? -1 : until_unix * 1_000;
      change(phone.phone, params, { type: 'mute', until: on ? until : null });
    }),
    phoneRoute(world, 'POST', shape('delete'), ({ phone, params }) =>
      change(phone.phone, params, { type: 'delete' }),
    ),
  ];
}
