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
import {
  accountOf,
  isGroup,
  isLid,
  isOwnJid,
  isPerson,
  isPhone,
  STATUS_BROADCAST,
} from '../convert/index.ts';
import {
  aboutRecipient,
  ackError,
  NEW_CHATS_CAPPED,
  notAdmin,
  RESTRICTED,
  recipientError,
  STALE_GROUP,
  UNACCEPTABLE,
  unknownRecipient,
  unlessCutOff,
} from '../errors.ts';
import type { NumberHealthWatch } from '../health/health-watch.ts';
import type { LivenessMonitor } from '../health/liveness-monitor.ts';
import type { Accounts } from '../operations/accounts.ts';
import { type GroupCache, isAdmin } from '../operations/groups.ts';
import { nameOfChat, phoneBehind } from '../receive/people.ts';
import { ask, type SessionContext } from '../session-context.ts';
import type { Ack, Acks } from './acks.ts';
import type { Addressing } from './addressing.ts';
import {
  assertReached,
  findDevices,
  findMissed,
  forgetDevices,
  forgetSenderKeyRecipients,
  noDevices,
} from './devices.ts';
import type { FirstContact } from './first-contact.ts';
import { type Outgoing, prepareOutgoing, withMentionsAddressed } from './outgoing.ts';
import { createSentRecords } from './sent-records.ts';

export interface Sender {
  send(message: OutboundMessage): Promise<void>;
  /** Returns the message sent under this id, for devices that could not read it; stored for a week. */
  sent(key: WAMessageKey): Promise<Outgoing | undefined>;
  /** Sends again, to the given devices; rejects when the network refuses it for the moment. */
  sendAgain(sock: WASocket, messageId: string, whom: Whom): Promise<void>;
}

/** Recipients, where not all known devices. */
interface Whom {
  /** Only this device, and how often it has asked for the message. */
  readonly device?: { readonly jid: string; readonly count: number };
  /** Looks up address and devices again. */
  readonly anew?: boolean;
}

interface SenderOptions {
  readonly context: SessionContext;
  readonly acks: Acks;
  readonly addressing: Addressing;
  readonly standing: Pick<NumberHealthWatch, 'refused'>;
  readonly livenessMonitor: Pick<LivenessMonitor, 'unacknowledged'>;
  readonly firstContact: Pick<FirstContact, 'tokenFor'>;
  readonly accounts: Pick<Accounts, 'find' | 'forget'>;
  /** Recipients of a story. */
  readonly audience: () => Promise<readonly Jid[]>;
  readonly groups: Pick<GroupCache, 'get' | 'drop'>;
}

interface Built {
  readonly outgoing: Outgoing;
  readonly kept: Promise<void>;
}

/**
 * Sends with the id that the gateway chose. The built message is stored before it leaves, so that the same id
 * always means the same message: media is not uploaded twice, a poll keeps its secret, and a device that could
 * not read it gets it again, also after a restart.
 */
export function createSender({
  context,
  acks,
  addressing,
  standing,
  livenessMonitor,
  firstContact,
  accounts,
  audience,
  groups,
}: SenderOptions): Sender {
  const records = createSentRecords(context);

  /**
   * Resolves to the message and a promise of its storage; `kept` need not be awaited where a ratchet commit
   * follows.
   */
  async function built(sock: WASocket, message: OutboundMessage): Promise<Built> {
    const { messageId, to, content } = message;
    const before = await records.findBefore(message);
    // The outcome of the last attempt is unknown.
    if (before && isGroup(before.to)) await forgetSenderKeyRecipients(sock, before.to, context.me().id);
    if (before) return { outgoing: { ...before, to: to ?? before.to }, kept: Promise.resolve() };
    const chat = to ?? STATUS_BROADCAST;
    const address = await addressing.of(sock, chat);
    const quoted = isLid(address) ? withQuotedLid(content, { [accountOf(chat)]: address }) : content;
    const named = await withMentionsAddressed(quoted, (jids) => addressing.ofAll(sock, jids));
    const outgoing = {
      to: chat,
      ...(await prepareOutgoing(context, sock, { messageId, content: named }, address)),
    };
    return { outgoing, kept: records.keep(messageId, outgoing) };
  }

  /** Returns the network's answer to a message that is stored before it leaves. */
  async function keptAndDelivered(sock: WASocket, message: OutboundMessage): Promise<Ack> {
    const { outgoing, kept } = await built(sock, message);
    // A message to people leaves after the commit of a ratchet, which never resolves before this one. Elsewhere
    // not everything is encrypted.
    awaitedLater(kept);
    if (!isPerson(outgoing.to)) await kept;
    try {
      return await deliver(sock, message.messageId, outgoing);
    } finally {
      // The next attempt finds it.
      await kept;
    }
  }

  /**
   * Phones find the quoted message of a reply by its author's address, so that address is of the kind that the
   * chat uses.
   */
  function withQuotedLid(content: OutboundContent, lids: Readonly<Record<Jid, Jid>>): OutboundContent {
    if (!('quote' in content) || !content.quote?.participant) return content;
    const author = accountOf(content.quote.participant);
    const { lid } = context.me();
    const participant = isOwnJid(author, context.me()) && lid ? accountOf(lid) : (lids[author] ?? author);
    return { ...content, quote: { ...content.quote, participant } };
  }

  /**
   * Returns the address under which a person has devices. Throws instead of returning one without devices, which
   * the network would accept silently.
   */
  async function reach(sock: WASocket, to: Jid, anew = false): Promise<Jid> {
    const address = anew ? await addressing.refresh(sock, to) : await addressing.of(sock, to);
    if (anew) forgetDevices(sock, address);
    const devices = await findDevices(sock, address);
    if (devices === 'found') return address;
    if (!anew) return reach(sock, to, true);
    // The number may have been given up since it was checked.
    if (devices === 'unknown' && isPhone(to)) await accounts.forget(to);
    throw devices === 'unknown' && isLid(to) ? unknownRecipient() : noDevices();
  }

  function ownAddress(hidden: boolean): Jid {
    const { id, lid } = context.me();
    return accountOf((hidden && lid) || id);
  }

  /** Recipients of a story, with the number's own phone and other devices. */
  async function audienceOf(sock: WASocket): Promise<readonly Jid[]> {
    const others = await addressing.ofAll(sock, await audience());
    return [...others.filter((jid) => !isOwnJid(jid, context.me())), ownAddress(true)];
  }

  /** Stanza attributes that name the person behind a hidden address. */
  async function marksOf(to: Jid, address: Jid, device: string | undefined): Promise<Record<string, string>> {
    if (!isLid(address)) return {};
    // The network delivers a copy for the number's own device to it alone, and needs the chat that it belongs to.
    if (device !== undefined) return isOwnJid(device, context.me()) ? { recipient: address } : {};
    const phone = isPhone(to) ? to : await phoneBehind(context.vault(), to);
    return phone === undefined ? {} : { peer_recipient_pn: phone };
  }

  /** Addresses a device in the same way as its chat. */
  async function deviceAt(sock: WASocket, address: Jid, device: string): Promise<string> {
    if (!isLid(address) || !isPhone(device) || isOwnJid(device, context.me())) return device;
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

  /** People of the chat, under the addresses that the message was encrypted for. */
  async function peopleIn(sock: WASocket, chat: Jid, address: Jid): Promise<readonly Jid[]> {
    if (chat === STATUS_BROADCAST) return audienceOf(sock);
    if (!isGroup(chat)) return [ownAddress(isLid(address)), address];
    const { participants } = await groups.get(sock, chat);
    groups.drop(chat);
    return participants.map(({ id }) => accountOf(id));
  }

  /** Sends copies to the devices that were not known before, and adds them to the known ones. */
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

  /** Relays it. After a refusal no member of a group has the key that went with it. */
  async function relayKeyed(sock: WASocket, messageId: string, outgoing: Outgoing, whom?: Whom) {
    const answer = await relay(sock, messageId, outgoing, whom);
    if (answer.ack.error !== undefined && isGroup(outgoing.to)) {
      await forgetSenderKeyRecipients(sock, outgoing.to, context.me().id);
    }
    return answer;
  }

  async function refreshLid(sock: WASocket, to: Jid): Promise<void> {
    const number = isPhone(to) ? to : await phoneBehind(context.vault(), to);
    if (number !== undefined) await addressing.refresh(sock, number);
  }

  /** Sends the message. When the network refuses its address or its devices, looks them up again and retries once. */
  async function deliver(sock: WASocket, messageId: string, outgoing: Outgoing): Promise<Ack> {
    const { ack, address } = await relayKeyed(sock, messageId, outgoing);
    if (ack.error === RESTRICTED || ack.error === NEW_CHATS_CAPPED) standing.refused();
    if (ack.error === STALE_GROUP) groups.drop(outgoing.to);
    // An accepted message counts as sent, whatever the outcome and the duration of this.
    if (ack.devicesDiffer)
      reachMissed(sock, messageId, outgoing, address).catch(
        unlessCutOff('a message did not reach devices that were left out'),
      );
    if (ack.isLidStale)
      refreshLid(sock, outgoing.to).catch(
        unlessCutOff('the hidden address of a person could not be asked anew'),
      );
    const unfit =
      ack.error === UNACCEPTABLE ||
      ack.error === STALE_GROUP ||
      // With the right address a retry would count against the number.
      (ack.error === RESTRICTED && isPhone(address) && (await addressing.refresh(sock, address)) !== address);
    return unfit ? (await relayKeyed(sock, messageId, outgoing, { anew: true })).ack : ack;
  }

  /** Phones ignore such a deletion by other members, while the network would acknowledge it. */
  async function requireAdmin(sock: WASocket, group: Jid): Promise<void> {
    if (isAdmin(await groups.get(sock, group), context.me())) return;
    // The notification of a promotion may not have arrived yet.
    groups.drop(group);
    if (!isAdmin(await groups.get(sock, group), context.me())) throw notAdmin();
  }

  async function keepAndDeliver(sock: WASocket, message: OutboundMessage): Promise<void> {
    const { error } = await keptAndDelivered(sock, message);
    if (error === undefined) return;
    throw isAboutAnotherMessage(message.content) ? ackError(error) : recipientError(ackError(error));
  }

  /** Sends to the account of a number, which may have another spelling. */
  async function sendToNumber(sock: WASocket, message: OutboundMessage, number: Jid): Promise<void> {
    const account = await accounts.find(sock, number);
    if (account === undefined) throw unknownRecipient();
    try {
      await keepAndDeliver(sock, { ...message, to: account });
    } catch (error) {
      // The account may have changed its number.
      if (account !== number) await accounts.forget(number);
      throw error;
    }
  }

  return {
    send: (message) =>
      ask(context, async (sock) => {
        const { to, content } = message;
        // Events and stored messages name the person as their replies will.
        if (to !== undefined && isLid(to)) await nameOfChat(context.vault(), to);
        if (to !== undefined && isPhone(to)) return sendToNumber(sock, message, to);
        if (content.kind === 'disappearing' && to !== undefined && isGroup(to)) {
          return aboutRecipient(sock.groupToggleEphemeral(to, content.seconds));
        }
        if (to !== undefined && deletesForeign(content) && isGroup(to)) {
          await aboutRecipient(requireAdmin(sock, to));
        }
        return keepAndDeliver(sock, message);
      }).catch((error: unknown) => {
        if (error instanceof NetworkError && error.unanswered) livenessMonitor.unacknowledged();
        throw error;
      }),
    sent: async ({ id }) => (id ? records.find(id) : undefined),
    async sendAgain(sock, messageId, whom) {
      const outgoing = await records.find(messageId);
      if (!outgoing) return;
      const { error } = (await relayKeyed(sock, messageId, outgoing, whom)).ack;
      if (error === undefined) return;
      if (error === STALE_GROUP) groups.drop(outgoing.to);
      const refused = ackError(error);
      // Others stay refused, and each may count against the number.
      if (error === UNACCEPTABLE || error === STALE_GROUP || refused.kind === 'transient') throw refused;
      context.log.warn(
        { linkId: context.linkId, code: error },
        'a message was refused that a device asked for again',
      );
    },
  };
}
