import type { GroupRegister } from '../groups/group-register.ts';
import { isChannelJid, isGroupJid, statusJid } from '../jids.ts';
import { type ChatKey, type ChatRegister, directKey, statusKey } from '../messages/chats.ts';
import {
  type Content,
  isMessageUpdate,
  type PollContent,
  type UpdatingContent,
} from '../messages/content.ts';
import type { MessageRow, MessageTable } from '../messages/message-table.ts';
import { optionHash } from '../messages/polls.ts';
import type { MessageHeader, Route, SendOrder } from '../messages/types.ts';
import type { PhoneStore } from '../people/phones.ts';
import { type Actor, type PhoneNumber, WorldError } from '../types.ts';
import type { WorldContext } from '../world-context.ts';

const editWindowMs = 20 * 60_000;
const storyLastsSeconds = 86_400;

export type Destination = Route;

export interface SendingRules {
  /** What the network checks without decrypting: whether the destination exists, and whether this person may write there. */
  destination(actor: Actor, order: MessageHeader): Destination;
  /** The recipients of a phone's own message. */
  destinationOf(actor: Actor, order: SendOrder): Destination;
  /** Refuses what a phone would not let its owner send. */
  check(actor: Actor, chat: ChatKey, content: Content): void;
  /** Whether the phone of `viewer` lets `actor` change the bubble in question; other content is always shown. */
  accepts(viewer: PhoneNumber, actor: Actor, chat: ChatKey, content: Content): boolean;
}

interface RulesNeeds {
  context: WorldContext;
  phones: PhoneStore;
  chats: ChatRegister;
  groups: GroupRegister;
  table: MessageTable;
  isBlocked(owner: PhoneNumber, phone: PhoneNumber): boolean;
  contactsOf(phone: PhoneNumber): PhoneNumber[];
}

export function createSendingRules(needs: RulesNeeds): SendingRules {
  const { context, phones, chats, groups, table, isBlocked, contactsOf } = needs;
  const { db, clock } = context;

  const refuse = (message: string) => new WorldError('bad_request', message);

  /** A story goes to its audience; a later update of it goes to those who have it. */
  const viewersOf = (actor: Actor, { content, audience }: SendOrder): PhoneNumber[] => {
    if (isMessageUpdate(content)) {
      const target = table.find(statusKey(actor.phone), content.target);
      return target ? table.holders(target.seq) : [];
    }
    return audience ?? contactsOf(actor.phone);
  };

  const toStory = (actor: Actor, { audience }: MessageHeader): Destination => {
    const viewers = audience.flatMap((address) => phones.find(address)?.phone ?? []);
    const recipients = [...new Set(viewers)].filter(
      (phone) => phone !== actor.phone && !isBlocked(phone, actor.phone) && !isBlocked(actor.phone, phone),
    );
    return { chat: statusKey(actor.phone), recipients, expiresInSeconds: storyLastsSeconds };
  };

  const toGroup = (actor: Actor, { to, needsNoVoice, deletesForeign }: MessageHeader): Destination => {
    if (deletesForeign) groups.requireAdmin(actor, to);
    if (needsNoVoice) groups.requireMember(actor, to);
    else groups.requireVoice(actor, to);
    return {
      chat: to,
      recipients: groups.others(to, actor.phone),
      expiresInSeconds: chats.disappearingSeconds(to),
    };
  };

  const toPerson = (actor: Actor, { to, deletesForeign }: MessageHeader): Destination => {
    if (deletesForeign) throw new WorldError('forbidden', 'only the author may delete a message');
    const { phone } = phones.require(to);
    if (isBlocked(actor.phone, phone)) throw new WorldError('forbidden', 'you have blocked this contact');
    const chat = directKey(actor.phone, phone);
    const arrives = phone !== actor.phone && !isBlocked(phone, actor.phone);
    return { chat, recipients: arrives ? [phone] : [], expiresInSeconds: chats.disappearingSeconds(chat) };
  };

  const targetIn = (chat: ChatKey, id: string): MessageRow => {
    const target = table.find(chat, id);
    if (!target) throw new WorldError('not_found', `there is no message ${id} in this chat`);
    return target;
  };

  /** The viewer's message of that id; a placeholder counts as none. */
  const shownIn = (
    viewer: PhoneNumber,
    chat: ChatKey,
    id: string,
  ): { target: MessageRow; shown: Content } => {
    const target = targetIn(chat, id);
    const shown = table.contentFor(viewer, target);
    if (!shown) throw new WorldError('not_found', `there is no message ${id} in this chat`);
    return { target, shown };
  };

  const checkEdit = (viewer: PhoneNumber, actor: Actor, target: MessageRow, { type }: Content): void => {
    if (target.sender !== actor.phone) {
      throw new WorldError('forbidden', 'only the author may edit a message');
    }
    if (table.copyOf(viewer, target.seq)?.revoked_at) throw new WorldError('gone', 'the message was deleted');
    if (clock.now() - target.at > editWindowMs) {
      throw new WorldError('forbidden', 'a message may be edited for 20 minutes');
    }
    if (!['text', 'image', 'video', 'document'].includes(type)) {
      throw refuse('this kind of message has no text to edit');
    }
  };

  const checkRevoke = (actor: Actor, chat: ChatKey, target: MessageRow): void => {
    if (target.sender === actor.phone) return;
    if (!isGroupJid(chat)) throw new WorldError('forbidden', 'only the author may delete a message');
    groups.requireAdmin(actor, chat);
  };

  const checkVote = (poll: Content, hashes: string[]): void => {
    if (poll.type !== 'poll') throw refuse('this message is no poll');
    const known = new Set(poll.options.map(optionHash));
    if (!hashes.every((hash) => known.has(hash))) throw refuse('the poll has no such option');
    if (poll.selectableCount > 0 && hashes.length > poll.selectableCount) {
      throw refuse(`the poll takes ${poll.selectableCount} at most`);
    }
  };

  const checkPoll = ({ options, selectableCount }: PollContent): void => {
    if (options.length < 2 || new Set(options).size !== options.length) {
      throw refuse('a poll needs at least 2 different options');
    }
    if (!Number.isInteger(selectableCount) || selectableCount < 0 || selectableCount > options.length) {
      throw refuse('poll_selectable_count is 0 or up to the number of options');
    }
  };

  const checkAmendment = (
    viewer: PhoneNumber,
    actor: Actor,
    chat: ChatKey,
    content: UpdatingContent,
  ): void => {
    if (content.type === 'reaction') return; // a reaction to an unknown message is carried, and not shown
    const { target, shown } = shownIn(viewer, chat, content.target);
    if (content.type === 'edit') checkEdit(viewer, actor, target, shown);
    else if (content.type === 'revoke') checkRevoke(actor, chat, target);
    else checkVote(shown, content.hashes);
  };

  /** Mark that a client sets for a deletion; a target that the chat does not have is refused elsewhere. */
  const deletesForeign = (actor: Actor, { to, content }: SendOrder): boolean => {
    if (content.type !== 'revoke' || !isGroupJid(to)) return false;
    const target = table.find(to, content.target);
    return target !== undefined && target.sender !== actor.phone;
  };

  const destination = (actor: Actor, place: MessageHeader): Destination => {
    if (place.id === '') throw refuse('a message needs an id');
    if (place.to === statusJid) return toStory(actor, place);
    if (isGroupJid(place.to)) return toGroup(actor, place);
    if (isChannelJid(place.to)) throw refuse('a channel is no chat');
    return toPerson(actor, place);
  };

  return {
    destination,
    destinationOf: (actor, order) =>
      destination(actor, {
        id: order.id,
        to: order.to,
        audience: order.to === statusJid ? viewersOf(actor, order) : [],
        needsNoVoice: order.content.type === 'reaction' || order.content.type === 'poll_vote',
        deletesForeign: deletesForeign(actor, order),
      }),
    accepts(viewer, actor, chat, content) {
      if (!isMessageUpdate(content)) return true;
      try {
        checkAmendment(viewer, actor, chat, content);
        return true;
      } catch (error) {
        if (error instanceof WorldError) return false;
        throw error;
      }
    },
    check(actor, chat, content) {
      if (isMessageUpdate(content)) return checkAmendment(actor.phone, actor, chat, content);
      switch (content.type) {
        case 'text':
          if (content.text === '') throw refuse('a text message needs text');
          return;
        case 'image':
        case 'video':
        case 'audio':
        case 'document':
        case 'sticker':
          if (!db.get('SELECT 1 FROM media WHERE id = ?', content.media.id)) {
            throw refuse('the media was never uploaded');
          }
          return;
        case 'poll':
          return checkPoll(content);
        case 'group_invite':
          return groups.requireAdmin(actor, content.group);
        case 'button_response':
          targetIn(chat, content.target);
          return;
        default:
          return;
      }
    },
  };
}
