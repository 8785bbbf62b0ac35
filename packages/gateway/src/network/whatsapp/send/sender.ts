import type { WAMessageKey, WASocket } from 'baileys';
import { awaitedLater } from '#kernel';
import {
  deletesForeign,
  isAboutAnotherMessage,
  type Jid,
  type OutboundContent,
  type OutboundMessage,
} from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import { accountOf, isGroup, isLid, isMe, isPerson, isPhone, STATUS_BROADCAST } from '../convert/index.ts';
import { unlessCutOff } from '../errors.ts';
import { type GroupCache, isAdmin } from '../operations/groups.ts';
import { nameOfChat, phoneBehind } from '../receive/people.ts';
import { ask, type SessionContext } from '../session-context.ts';
import type { Hearing } from '../standing/hearing.ts';
import type { StandingWatch } from '../standing/standing.ts';
import type { Ack, Acks } from './acks.ts';
import type { Addressing } from './addressing.ts';
import { assertReached, findDevices, forgetDevices, nobodyThere } from './devices.ts';
import {
  aboutRecipient,
  ackError,
  notAdmin,
  RESTRICTED,
  recipientError,
  UNACCEPTABLE,
  unknownRecipient,
} from './failures.ts';
import type { FirstContact } from './first-contact.ts';
import { withMentionsAddressed } from './mentions.ts';
import { findMissed } from './missed-devices.ts';
import { type Outgoing, prepare } from './outgoing.ts';
import { forgetWhoHasSenderKey } from './sender-key-memory.ts';
import { createSentRecords } from './sent-records.ts';

export interface Sender {
  send(message: OutboundMessage): Promise<void>;
  /** What was sent under this id, for devices that could not read it; known for a week. */
  sent(key: WAMessageKey): Promise<Outgoing | undefined>;
  /** Once more, to the devices named. */
  sendAgain(sock: WASocket, messageId: string, whom: Whom): Promise<void>;
}

/** Whom a message goes to, where not to everybody who is known. */
interface Whom {
  /** This device alone, which has asked for it so often. */
  readonly device?: { readonly jid: string; readonly count: number };
  /** Address and devices are asked for anew. */
  readonly anew?: boolean;
}

interface SenderOptions {
  readonly context: SessionContext;
  readonly acks: Acks;
  readonly addressing: Addressing;
  readonly standing: Pick<StandingWatch, 'refused'>;
  readonly hearing: Pick<Hearing, 'unacknowledged'>;
  readonly firstContact: Pick<FirstContact, 'tokenFor'>;
  /** Whether the network knows this number. */
  readonly isRegistered: (sock: WASocket, jid: Jid) => Promise<boolean>;
  /** Who sees a story. */
  readonly audience: () => Promise<readonly Jid[]>;
  readonly groups: Pick<GroupCache, 'get' | 'drop'>;
}

interface Built {
  readonly outgoing: Outgoing;
  readonly kept: Promise<void>;
}

/**
 * Sends with the id that the gateway chose. What is built is kept before it leaves, so that the same id always means the same message:
 * media is not uploaded twice, a poll keeps its secret, and a device that could not read it gets it again, also after a restart.
 */
export function createSender({
  context,
  acks,
  addressing,
  standing,
  hearing,
  firstContact,
  isRegistered,
  audience,
  groups,
}: SenderOptions): Sender {
  const records = createSentRecords(context);

  /** Resolves to the message and, beside that, to its being kept; `kept` may be left to the commits of the ratchets that encrypt it. */
  async function built(sock: WASocket, message: OutboundMessage): Promise<Built> {
    const { messageId, to, content } = message;
    const before = await records.findBefore(message);
    // Nobody knows what became of it the last time.
    if (before && isGroup(before.to)) await forgetWhoHasSenderKey(sock, before.to, context.me().id);
    if (before) return { outgoing: before, kept: Promise.resolve() };
    const chat = to ?? STATUS_BROADCAST;
    const address = await addressing.of(sock, chat);
    const quoted = isLid(address) ? withQuotedLid(content, { [accountOf(chat)]: address }) : content;
    const named = await withMentionsAddressed(quoted, (jids) => addressing.ofAll(sock, jids));
    const outgoing = { to: chat, ...(await prepare(context, sock, { messageId, content: named }, address)) };
    return { outgoing, kept: records.keep(messageId, outgoing) };
  }

  /** The network's answer to a message that is kept before it leaves. */
  async function keptAndDelivered(sock: WASocket, message: OutboundMessage): Promise<Ack> {
    const { outgoing, kept } = await built(sock, message);
    // To people it leaves after the commit of a ratchet, which is never answered before this one. Elsewhere not everything is encrypted.
    awaitedLater(kept);
    if (!isPerson(outgoing.to)) await kept;
    try {
      return await deliver(sock, message.messageId, outgoing);
    } finally {
      // Whoever tries again finds it.
      await kept;
    }
  }

  /** What a reply quotes is found by its author's address, and a chat knows its two people by one kind of it. */
  function withQuotedLid(content: OutboundContent, lids: Readonly<Record<Jid, Jid>>): OutboundContent {
    if (!('quote' in content) || !content.quote?.participant) return content;
    const author = accountOf(content.quote.participant);
    const { lid } = context.me();
    const participant = isMe(author, context.me()) && lid ? accountOf(lid) : (lids[author] ?? author);
    return { ...content, quote: { ...content.quote, participant } };
  }

  /** The address under which somebody has devices; never one that leads nowhere, because the network would take that without a word. */
  async function reach(sock: WASocket, to: Jid, anew = false): Promise<Jid> {
    const address = anew ? await addressing.refresh(sock, to) : await addressing.of(sock, to);
    if (anew) forgetDevices(sock, address);
    const devices = await findDevices(sock, address);
    if (devices === 'found') return address;
    if (!anew) return reach(sock, to, true);
    throw devices === 'unknown' && isLid(to) ? unknownRecipient() : nobodyThere();
  }

  function ownAddress(hidden: boolean): Jid {
    const { id, lid } = context.me();
    return accountOf((hidden && lid) || id);
  }

  /** Who sees a story: also the number itself, on its phone and its other devices. */
  async function audienceOf(sock: WASocket): Promise<readonly Jid[]> {
    const others = await addressing.ofAll(sock, await audience());
    return [...others.filter((jid) => !isMe(jid, context.me())), ownAddress(true)];
  }

  /** What tells the network more about the person that a message to a hidden address is for. */
  async function marksOf(to: Jid, address: Jid, device: string | undefined): Promise<Record<string, string>> {
    if (!isLid(address)) return {};
    // The network passes a copy for the number's own device on to it alone, and must say which chat it belongs to.
    if (device !== undefined) return isMe(device, context.me()) ? { recipient: address } : {};
    const phone = isPhone(to) ? to : await phoneBehind(context.vault(), to);
    return phone === undefined ? {} : { peer_recipient_pn: phone };
  }

  /** Devices are addressed as the chat is. */
  async function deviceAt(sock: WASocket, address: Jid, device: string): Promise<string> {
    if (!isLid(address) || !isPhone(device) || isMe(device, context.me())) return device;
    return (await sock.signalRepository.lidMapping.getLIDForPN(device)) ?? device;
  }

  async function relay(
    sock: WASocket,
    messageId: string,
    { to, message, attributes, nodes }: Outgoing,
    { device, anew = false }: Whom = {},
  ): Promise<{ readonly ack: Ack; readonly address: Jid }> {
    const toPerson = isPerson(to);
    const address =
      toPerson && !device ? await aboutRecipient(reach(sock, to, anew)) : await addressing.of(sock, to);
    const statusJidList = to === STATUS_BROADCAST ? await audienceOf(sock) : undefined;
    const { ack, forget } = acks.expect(messageId);
    try {
      await aboutRecipient(
        sock.relayMessage(address, message, {
          messageId,
          ...(device
            ? { participant: { jid: await deviceAt(sock, address, device.jid), count: device.count } }
            : {}),
          ...(anew ? { useUserDevicesCache: false } : {}),
          additionalAttributes: { ...attributes, ...(await marksOf(to, address, device?.jid)) },
          additionalNodes: [...(nodes ?? []), ...(device ? [] : await firstContact.tokenFor(address))],
          ...(statusJidList ? { statusJidList: [...statusJidList] } : {}),
        }),
      );
      if (toPerson && !device) await assertReached(sock, address);
      return { ack: await ack, address };
    } finally {
      forget();
    }
  }

  /** Under the addresses that the message was written to. */
  async function peopleIn(sock: WASocket, chat: Jid, address: Jid): Promise<readonly Jid[]> {
    if (chat === STATUS_BROADCAST) return audienceOf(sock);
    if (!isGroup(chat)) return [ownAddress(isLid(address)), address];
    const { participants } = await groups.get(sock, chat);
    groups.drop(chat);
    return participants.map(({ id }) => accountOf(id));
  }

  /** Some device got no copy: those that were not known get theirs, and are known from here on. */
  async function reachMissed(
    sock: WASocket,
    messageId: string,
    outgoing: Outgoing,
    address: Jid,
  ): Promise<void> {
    const missed = await findMissed(sock, await peopleIn(sock, outgoing.to, address));
    if (missed.length === 0) return;
    await sock.assertSessions([...missed], false);
    for (const jid of missed) await relay(sock, messageId, outgoing, { device: { jid, count: 1 } });
  }

  /** The network refuses what is addressed wrongly, or leaves devices out: then it is looked up anew, and tried once more. */
  async function deliver(sock: WASocket, messageId: string, outgoing: Outgoing): Promise<Ack> {
    const { ack, address } = await relay(sock, messageId, outgoing);
    if (ack.error === RESTRICTED) standing.refused();
    if (ack.error !== undefined && isGroup(outgoing.to)) {
      await forgetWhoHasSenderKey(sock, outgoing.to, context.me().id);
    }
    // What was taken is sent, whatever comes of this, and however long it takes.
    if (ack.devicesDiffer)
      reachMissed(sock, messageId, outgoing, address).catch(
        unlessCutOff('a message did not reach devices that were left out'),
      );
    const unfit =
      ack.error === UNACCEPTABLE ||
      // Where the address was right, trying again would count against the number.
      (ack.error === RESTRICTED && isPhone(address) && (await addressing.refresh(sock, address)) !== address);
    return unfit ? (await relay(sock, messageId, outgoing, { anew: true })).ack : ack;
  }

  /** Phones drop such a deletion by anybody else, and the network would acknowledge it all the same. */
  async function requireAdmin(sock: WASocket, group: Jid): Promise<void> {
    if (isAdmin(await groups.get(sock, group), context.me())) return;
    // The news of a promotion may still be on its way.
    groups.drop(group);
    if (!isAdmin(await groups.get(sock, group), context.me())) throw notAdmin();
  }

  return {
    send: (message) =>
      ask(context, async (sock) => {
        const { to, content } = message;
        // What is kept and told of it names the person as the answers to it will.
        if (to !== undefined && isLid(to)) await nameOfChat(context.vault(), to);
        if (to !== undefined && isPhone(to) && !(await isRegistered(sock, to))) throw unknownRecipient();
        if (content.kind === 'disappearing' && to !== undefined && isGroup(to)) {
          return aboutRecipient(sock.groupToggleEphemeral(to, content.seconds));
        }
        if (to !== undefined && deletesForeign(content) && isGroup(to)) {
          await aboutRecipient(requireAdmin(sock, to));
        }
        const { error } = await keptAndDelivered(sock, message);
        if (error === undefined) return;
        throw isAboutAnotherMessage(content) ? ackError(error) : recipientError(ackError(error));
      }).catch((error: unknown) => {
        if (error instanceof NetworkError && error.unanswered) hearing.unacknowledged();
        throw error;
      }),
    sent: async ({ id }) => (id ? records.find(id) : undefined),
    async sendAgain(sock, messageId, whom) {
      const outgoing = await records.find(messageId);
      if (outgoing) await relay(sock, messageId, outgoing, whom);
    },
  };
}
