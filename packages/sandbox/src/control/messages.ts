import { MessageId } from '@parley/contract';
import Type, { type Static } from 'typebox';
import { isChannelJid, type Phone, type World } from '../world/index.ts';
import { Refusal } from './errors.ts';
import type { MediaFetcher } from './files.ts';
import { channelMessageView, messageView } from './message-view.ts';
import { type ControlRoute, closed, phoneRoute, route } from './route.ts';
import { createSendReader } from './sends.ts';

/** More than anybody reads; a channel has no end. */
const channelPage = 1_000;

const Filter = closed({
  chat: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
});

/** What a phone writes, sees, reads and answers. */
export function messageRoutes(world: World, fetcher: MediaFetcher): ControlRoute[] {
  const readSend = createSendReader({ world, fetcher });

  const seenBy = ({ phone }: Phone, filter: Static<typeof Filter>): object[] => {
    const { chat, limit = channelPage } = filter;
    if (chat === undefined || !isChannelJid(chat))
      return world.messages.seenBy(phone, filter).map(messageView);
    const owns = world.channels.followed(phone, chat)?.role === 'owner';
    return world.channels.messages(chat, limit).map((message) => channelMessageView(message, owns));
  };

  return [
    phoneRoute(
      world,
      'POST',
      { path: '/messages', status: 201, carriesFiles: true, body: Type.Unknown() },
      async ({ phone, body }) => {
        const actor = { phone: phone.phone, device: 0 };
        const { to, content } = await readSend(actor, body);
        const { id } = world.messages.send(actor, { id: world.messages.newId(), to, content });
        return { message_id: id };
      },
    ),
    phoneRoute(world, 'GET', { path: '/messages', status: 200, query: Filter }, ({ phone, query }) => ({
      messages: seenBy(phone, query),
    })),
    route('GET', { path: '/media/:sha256', status: 200 }, ({ params: { sha256 = '' } }) => {
      const bytes = world.media.read(sha256);
      if (!bytes) throw new Refusal(404, `there is no file ${sha256}`);
      return { media_base64: Buffer.from(bytes).toString('base64') };
    }),
    phoneRoute(
      world,
      'POST',
      {
        path: '/receipts',
        status: 204,
        body: closed({ message_id: MessageId, type: Type.Enum(['read', 'played'], { type: 'string' }) }),
      },
      ({ phone, body }) => world.messages.mark(phone.phone, body.message_id, body.type),
    ),
    phoneRoute(
      world,
      'POST',
      {
        path: '/votes',
        status: 204,
        body: closed({ poll_message_id: MessageId, options: Type.Array(Type.String()) }),
      },
      ({ phone, body }) => {
        world.messages.vote(phone.phone, body.poll_message_id, body.options);
      },
    ),
    phoneRoute(
      world,
      'POST',
      {
        path: '/button-presses',
        status: 201,
        body: closed({ message_id: MessageId, id: Type.String({ minLength: 1 }) }),
      },
      ({ phone, body }) => ({
        message_id: world.messages.pressButton(phone.phone, body.message_id, body.id).id,
      }),
    ),
  ];
}
