import type { SendKindName, SendRequest } from '@parley/contract';
import type { OutboundContent } from '#network';
import type { FetchedFile, MediaNeed } from '../outbox/media-spool.ts';
import { contact } from './contact.ts';
import { disappearing } from './disappearing.ts';
import { edit } from './edit.ts';
import { groupInvite } from './group-invite.ts';
import { interactive } from './interactive.ts';
import type { Kind } from './kind.ts';
import { location } from './location.ts';
import { media } from './media.ts';
import { poll } from './poll.ts';
import { reaction } from './reaction.ts';
import { revoke } from './revoke.ts';
import { mediaStatus, textStatus } from './status.ts';
import { sticker } from './sticker.ts';
import { text } from './text.ts';

const KINDS: { readonly [K in SendKindName]: Kind<K> } = {
  contact,
  disappearing,
  edit,
  group_invite: groupInvite,
  interactive,
  location,
  media,
  media_status: mediaStatus,
  poll,
  reaction,
  revoke,
  sticker,
  text,
  text_status: textStatus,
};

export function mediaOf(send: SendRequest): MediaNeed | undefined {
  return kindOf(send).media?.(send);
}

export function contentOf(send: SendRequest, file: FetchedFile | undefined): OutboundContent {
  return kindOf(send).content(send, file);
}

interface AnyKind {
  readonly media?: (send: SendRequest) => MediaNeed;
  readonly content: (send: SendRequest, file: FetchedFile | undefined) => OutboundContent;
}

/** The compiler cannot follow that a send and the kind of its name belong together. */
function kindOf(send: SendRequest): AnyKind {
  return KINDS[send.kind] as AnyKind;
}
