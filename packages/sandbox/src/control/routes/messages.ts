import { MessageId } from '@parley/contract';
import Type, { type Static } from 'typebox';
import { isChannelJid, type Phone, type World } from '../../world/index.ts';
import { Refusal } from '../errors.ts';
import type { MediaFetcher } from '../files.ts';
import { type Guest, phonesOf } from '../guests.ts';
import { channelMessageView, messageView } from '../message-view.ts';
import { type ControlRoute, closed, phoneRoute, reader, route } from '../route.ts';
import { createSendReader } from '../sends.ts';
import { chatView } from '../views.ts';

/** More than a reader needs; a channel is unbounded. */
const channelPage = 1_000;

/** Messages of a phone that are searched for a file; a screen shows fewer. */
const fileSearch = 1_000;

const Audience = closed({
  to: Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: 256 }),
});

const Filter = closed({
  chat: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
});

/** Messages of a phone: sent, listed, read and answered. */
export function messageRoutes(world: World, fetcher: MediaFetcher): ControlRoute[] {
  const readSend = createSendReader({ world, fetcher });
  const readAudience = reader(Audience);

  const seenBy = ({ phone }: Phone, filter: Static<typeof Filter>, guest: Guest | undefined): object[] => {
    const { chat, limit = channelPage } = filter;
    if (chat === undefined || !isChannelJid(chat))
      return world.messages.seenBy(phone, filter).map(messageView);
    const followed = world.channels.followed(phone, chat);
    if (guest && !followed) throw new Refusal(404, `${phone} does not follow ${chat}`);
    const owns = followed?.role === 'owner';
    return world.channels.messages(chat, limit).map((message) => channelMessageView(message, owns));
  };

  /** Whether the newest messages of the phone, or of a channel that it follows, carry the file. */
  const shows = ({ phone }: Phone, sha256: string): boolean => {
    const bubbles = world.messages.seenBy(phone, { limit: fileSearch });
    const posts = world.channels
      .followedBy(phone)
      .flatMap(({ jid }) => world.channels.messages(jid, fileSearch));
    return [...bubbles, ...posts].some(({ content }) => 'media' in content && content.media.id === sha256);
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
    phoneRoute(
      world,
      'POST',
      { path: '/broadcast', status: 201, carriesFiles: true, body: Type.Unknown() },
      async ({ phone, body }) => {
        const actor = { phone: phone.phone, device: 0 };
        const { to, ...message } = { to: undefined, ...(typeof body === 'object' ? body : {}) };
        const people = readAudience({ to }).to;
        const { content } = await readSend(actor, { ...message, to: people[0] });
        const id = world.messages.newId();
        return { message_id: id, list_jid: world.messages.broadcast(actor, { id, to: people, content }) };
      },
    ),
    phoneRoute(
      world,
      'GET',
      { path: '/messages', status: 200, query: Filter },
      ({ guest, phone, query }) => ({
        messages: seenBy(phone, query, guest),
      }),
    ),
    phoneRoute(world, 'GET', { path: '/chats', status: 200 }, ({ phone }) => ({
      chats: world.chatStates.of(phone.phone).map(chatView),
    })),
    route('GET', { path: '/media/:sha256', status: 200, forGuests: true }, ({ guest, params }) => {
      const { sha256 = '' } = params;
      const bytes = world.media.read(sha256);
      if (!bytes || (guest && !phonesOf(world, guest).some((phone) => shows(phone, sha256))))
        throw new Refusal(404, `there is no file ${sha256}`);
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
