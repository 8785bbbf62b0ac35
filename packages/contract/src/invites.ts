import Type from 'typebox';
import { parseJid } from './jid.ts';
import { URL_MAX_LENGTH } from './limits.ts';
import { EXPECTS } from './schema.ts';

/** Invitations to groups and channels, as links or as bare codes. */

export const GROUP_INVITE_BASE = 'https://chat.whatsapp.com/';
export const CHANNEL_INVITE_BASE = 'https://whatsapp.com/channel/';

const CODE = '([A-Za-z0-9_-]{4,64})';
const REST_OF_LINK = '/?(?:[?#]\\S*)?';
const GROUP_INVITE = new RegExp(
  `^(?:(?:https?://)?chat\\.whatsapp\\.com/(?:invite/)?)?${CODE}${REST_OF_LINK}$`,
);
const CHANNEL_INVITE = new RegExp(
  `^(?:(?:https?://)?(?:www\\.)?whatsapp\\.com/channel/)?${CODE}${REST_OF_LINK}$`,
);

export const GroupInviteText = Type.String({
  maxLength: URL_MAX_LENGTH,
  pattern: GROUP_INVITE.source,
  description: 'Invite link of a group, or the code at its end.',
  examples: ['https://chat.whatsapp.com/Hq2kJd83nPlA0zXy'],
  [EXPECTS]: 'a group invite link or invite code',
});

export const ChannelReference = Type.String({
  maxLength: URL_MAX_LENGTH,
  pattern: `${CHANNEL_INVITE.source}|^[0-9]{1,32}@newsletter$`,
  description: 'Invite link, invite code or JID of a channel.',
  examples: ['https://whatsapp.com/channel/0029VaAbCdEfGh1234567890'],
  [EXPECTS]: 'a channel invite link, invite code or JID',
});

export function groupInviteCode(text: string): string | null {
  return GROUP_INVITE.exec(text)?.[1] ?? null;
}

/** Returns the key by which the network finds a channel. */
export function channelKey(text: string): { by: 'jid' | 'invite'; key: string } | null {
  if (parseJid(text)?.kind === 'newsletter') return { by: 'jid', key: text };
  const code = CHANNEL_INVITE.exec(text)?.[1];
  return code === undefined ? null : { by: 'invite', key: code };
}
