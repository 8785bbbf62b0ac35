import Type from 'typebox';
import { named } from '../schema.ts';

const channelJid = Type.String({ description: 'Channel JID.', examples: ['120363107654321098@newsletter'] });

export const Newsletter = named('Newsletter', {
  jid: channelJid,
  name: Type.String({ examples: ['Harbour news'] }),
  description: Type.String({ examples: ['Tides, ferries and weather'] }),
  subscriber_count: Type.Integer({ examples: [1280] }),
  invite_code: Type.String({ examples: ['0029VaAbCdEfGh1234567890'] }),
});
export type Newsletter = Type.Static<typeof Newsletter>;

export const NewsletterList = named('NewsletterList', { newsletters: Type.Array(Newsletter) });
export const NewsletterMuted = named('NewsletterMuted', {
  jid: channelJid,
  mute: Type.Boolean({ examples: [true] }),
});
export const NewsletterUnfollowed = named('NewsletterUnfollowed', {
  jid: channelJid,
  following: Type.Literal(false),
});
export const NewsletterReacted = named('NewsletterReacted', {
  jid: channelJid,
  server_id: Type.Integer({ examples: [118] }),
  reaction: Type.String({ description: 'Empty when the reaction was removed.', examples: ['👍'] }),
});
export const NewsletterPosted = named('NewsletterPosted', {
  message_id: Type.String({ examples: ['3EB0C767D71C5A4F1D2B'] }),
  server_id: Type.Optional(Type.Integer({ description: 'For channels that the session manages.' })),
});
export type NewsletterPosted = Type.Static<typeof NewsletterPosted>;
