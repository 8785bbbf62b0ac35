import { type ChatKey, type ChatRegister, directKey, statusKey } from './chats.ts';
import { type Content, isAmending, type PollContent } from './content.ts';
import type { Ground } from './ground.ts';
import type { GroupRegister } from './group-register.ts';
import { isChannelJid, isGroupJid, statusJid } from './jids.ts';
import type { MessageRow, MessageTable } from './message-table.ts';
import type { PhoneBook } from './phones.ts';
import { optionHash } from './polls.ts';
import { type Actor, type PhoneNumber, WorldError } from './types.ts';
import type { SendOrder } from './world.ts';

const editWindowMs = 20 * 60_000;
const storyLastsSeconds = 86_400;

/** Where a message goes: into which chat, to whom besides its author, and for how long. */
export interface Destination {
  chat: ChatKey;
  recipients: PhoneNumber[];
  expiresInSeconds: number;
}

export interface SendingRules {
  destination(actor: Actor, order: SendOrder): Destination;
  /** Refuses what the network would not carry, or what no phone would accept. */
  check(actor: Actor, chat: ChatKey, content: Content): void;
}

interface RulesNeeds {
  ground: Ground;
  phones: PhoneBook;
  chats: ChatRegister;
  groups: GroupRegister;
  table: MessageTable;
  isBlocked(owner: PhoneNumber, phone: PhoneNumber): boolean;
  contactsOf(phone: PhoneNumber): PhoneNumber[];
}

export function createSendingRules(needs: RulesNeeds): SendingRules {
  const { ground, phones, chats, groups, table, isBlocked, contactsOf } = needs;
  const { db, clock } = ground;

  const refuse = (message: string) => new WorldError('bad_request', message);

  /** A story goes to its audience; what is done to a story later goes to those who have it. */
  const viewersOf = (actor: Actor, { content, audience }: SendOrder): PhoneNumber[] => {
    if (isAmending(content)) {
      const target = table.find(statusKey(actor.phone), content.target);
      return target ? table.holders(target.seq) : [];
    }
    return audience ?? contactsOf(actor.phone);
  };

  const toStory = (actor: Actor, order: SendOrder): Destination => {
    const viewers = viewersOf(actor, order).flatMap((address) => phones.find(address)?.phone ?? []);
    const recipients = [...new Set(viewers)].filter(
      (phone) => phone !== actor.phone && !isBlocked(phone, actor.phone) && !isBlocked(actor.phone, phone),
    );
    return { chat: statusKey(actor.phone), recipients, expiresInSeconds: storyLastsSeconds };
  };

  const toGroup = (actor: Actor, { to, content }: SendOrder): Destination => {
    const mayWithoutVoice = content.type === 'reaction' || content.type === 'poll_vote';
    if (mayWithoutVoice) groups.requireMember(actor, to);
    else groups.requireVoice(actor, to);
    return {
      chat: to,
      recipients: groups.others(to, actor.phone),
      expiresInSeconds: chats.disappearingSeconds(to),
    };
  };

  const toPerson = (actor: Actor, { to }: SendOrder): Destination => {
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

  const checkEdit = (actor: Actor, target: MessageRow): void => {
    if (target.sender !== actor.phone) {
      throw new WorldError('forbidden', 'only the author may edit a message');
    }
    if (target.revoked_at !== null) throw new WorldError('gone', 'the message was deleted');
    if (clock.now() - target.at > editWindowMs) {
      throw new WorldError('forbidden', 'a message may be edited for 20 minutes');
    }
    const { type }: Content = JSON.parse(target.content);
    if (!['text', 'image', 'video', 'document'].includes(type)) {
      throw refuse('this kind of message has no text to edit');
    }
  };

  const checkRevoke = (actor: Actor, chat: ChatKey, target: MessageRow): void => {
    if (target.sender === actor.phone) return;
    if (!isGroupJid(chat)) throw new WorldError('forbidden', 'only the author may delete a message');
    groups.requireAdmin(actor, chat);
  };

  const checkVote = (target: MessageRow, hashes: string[]): void => {
    const poll: Content = JSON.parse(target.content);
    if (poll.type !== 'poll') throw refuse(`message ${target.id} is no poll`);
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

  return {
    destination(actor, order) {
      if (order.id === '') throw refuse('a message needs an id');
      if (order.to === statusJid) return toStory(actor, order);
      if (isGroupJid(order.to)) return toGroup(actor, order);
      if (isChannelJid(order.to)) throw refuse('a channel is no chat');
      return toPerson(actor, order);
    },
    check(actor, chat, content) {
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
        case 'edit':
          return checkEdit(actor, targetIn(chat, content.target));
        case 'revoke':
          return checkRevoke(actor, chat, targetIn(chat, content.target));
        case 'poll_vote':
          return checkVote(targetIn(chat, content.target), content.hashes);
        case 'button_response':
          targetIn(chat, content.target);
          return;
        default:
          // A reaction to a message that nobody has is carried, and shown by nobody.
          return;
      }
    },
  };
}
