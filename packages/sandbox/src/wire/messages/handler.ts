import { proto } from 'baileys';
import type { Content, FaultOrder, LinkedDevice, PhoneNumber, Route } from '../../world/index.ts';
import { isChannelJid, isGroupJid, statusJid } from '../../world/index.ts';
import { createBoundedMap } from '../bounded-map.ts';
import { readContent } from '../content/index.ts';
import { Refusal, refusalOf } from '../errors.ts';
import { handleOf } from '../media/credentials.ts';
import type { Network, Session, StanzaHandler } from '../network.ts';
import { errorName, unixSeconds } from '../ports.ts';
import type { ContentContexts } from '../stanzas/content-contexts.ts';
import { child, childBytes, type Node, node } from '../transport/nodes.ts';
import { type Envelope, openEnvelope } from './copies.ts';
import type { CopyReader } from './copy-reader.ts';
import type { Forwarding } from './forwarding.ts';
import { participantHash } from './participant-hash.ts';
import type { PeerMessages } from './peer-messages.ts';

const MIXED = 400;
const STALE_ADDRESSING = 421;

/** The error for a stanza that names people by LID and by number at once; groups know them by LID alone. */
function refusedForMixing({ chat, addressees, isShared }: Envelope): number | undefined {
  const kinds = new Set(addressees.map((jid) => jid.endsWith('@lid')));
  if (isGroupJid(chat)) return kinds.has(false) ? STALE_ADDRESSING : undefined;
  if (!isShared) kinds.add(chat.endsWith('@lid'));
  return addressees.length > 0 && kinds.size > 1 ? MIXED : undefined;
}

/** Error codes of armed faults in an ack; the README lists how a client reacts. */
const TRANSIENT = 503;
const PERMANENT = 479;
/** A post whose file is not one of channels. */
const UNREADABLE_POST = 479;
const MOST_REFUSED = 1_000;
/** Mark of a message with which an admin deletes another member's message. */
const DELETED_BY_ADMIN = '8';

/** Fields of an ack besides the id. */
type Outcome = { server_id?: number; phash?: string } | { error: number };

/** Messages of a client: to people, groups, the audience of its story, its channels and its own phone. */
export function createMessageHandler({
  network: { world, clock, log, ciphers },
  readings,
  forwarding,
  contexts,
  peer,
}: {
  network: Network;
  readings: CopyReader;
  forwarding: Forwarding;
  contexts: ContentContexts;
  peer: PeerMessages;
}): StanzaHandler {
  /** Ids that were refused permanently: clients retry once before they give up. */
  const refusedForGood = createBoundedMap<string, number>(MOST_REFUSED);

  /** The network reads the unencrypted part only. The receiving phones decrypt, and everything is stored in one transaction. */
  const intoChat = async ({ device }: Session, stanza: Node): Promise<Outcome> => {
    const envelope = openEnvelope(world, device, stanza);
    const { id, chat: to, only, addressees } = envelope;
    const refusal = refusedFor(device, stanza, envelope);
    if (refusal !== undefined)
      throw new Refusal(refusal, 'not addressed as it should be, or by whom it may not be');
    const needsNoVoice = isReaction(stanza) || isVote(stanza);
    const outside = { id, to, audience: addressees, needsNoVoice, deletesForeign: isAdminDeletion(stanza) };
    const route = world.messages.route(device, outside);
    const readers = readersOf(device, envelope, route);
    await ciphers.together(readings.needs(device, envelope, readers), async (work) => {
      const read = await readings.read(work, device, envelope, readers);
      work.inSameTransaction(() => {
        const at = world.messages.carry(device, route, { id, to, readings: read });
        forwarding.message(device, stanza, envelope, route, at);
      });
    });
    return only ? {} : { phash: newHash(device, stanza, envelope, route) };
  };

  /** The error for the addressing of a message, or for a restriction of its author. An answer to a retry receipt is not a new message. */
  const refusedFor = (device: LinkedDevice, stanza: Node, envelope: Envelope): number | undefined => {
    const { chat, only, isShared, addressees } = envelope;
    const mixed = refusedForMixing(envelope);
    if (mixed !== undefined) return mixed;
    if (only) return undefined;
    if (chat === statusJid) return world.addressRules.refusesStory(device, addressees);
    if (isShared) return undefined;
    const trusted = childBytes(stanza, 'tctoken');
    const firstContact = childBytes(stanza, 'cstoken');
    return (
      world.addressRules.refusesMessage(device, chat, { trusted, firstContact }) ??
      world.standing.refusesMessage(device, chat)
    );
  };

  /** Every phone that should get it; for a story those whom the author names, including the author's own. */
  const readersOf = ({ phone }: LinkedDevice, { only, chat, addressees }: Envelope, route: Route) => {
    if (only) return only.device === 0 ? [only.phone] : [];
    const toOwn =
      chat !== statusJid || addressees.some((address) => world.phones.find(address)?.phone === phone);
    return toOwn ? [...route.recipients, phone] : route.recipients;
  };

  /** The hash of the network's device list, where the client used another one. */
  const newHash = (device: LinkedDevice, stanza: Node, envelope: Envelope, route: Route) => {
    const { phash } = stanza.attrs;
    const { chat, isShared, copyFor, strays } = envelope;
    if (chat === statusJid || (isShared && phash === undefined)) return undefined;
    const other = isShared ? undefined : world.phones.find(chat)?.phone;
    const people = new Set([...(other ? [other] : route.recipients), device.phone]);
    const listed = [...people].map((phone) => ({
      person: world.phones.person(phone),
      devices: world.phones.deviceNumbers(phone),
    }));
    const isComplete = (): boolean =>
      strays === 0 &&
      listed.every(({ person: { phone }, devices }) =>
        devices.every((number) => isSame(device, phone, number) || copyFor({ phone, device: number })),
      );
    if (phash === undefined && isComplete()) return undefined;
    const hash = participantHash(listed, isShared || chat.endsWith('@lid') ? 'lid' : 'pn');
    return hash === phash ? undefined : hash;
  };

  /** A message of a client to its own phone, which no other device gets; the phone answers after its ack. */
  const toOwnPhone = async ({ device }: Session, stanza: Node): Promise<Outcome> => {
    const envelope = openEnvelope(world, device, stanza);
    const message = await ciphers.together(readings.needs(device, envelope, [device.phone]), (work) =>
      readings.readPeer(work, device, envelope),
    );
    clock.after(0, () => {
      peer.answer(device, envelope.id, message).catch((error: unknown) => {
        log.warn(
          { session: device.sessionId, error: errorName(error) },
          'a phone could not answer its device',
        );
      });
    });
    return {};
  };

  const intoChannel = ({ device }: Session, stanza: Node): Outcome => {
    const { id = '', to = '', server_id, type } = stanza.attrs;
    if (type === 'reaction') {
      world.channels.react(device, to, Number(server_id), child(stanza, 'reaction')?.attrs.code ?? '');
      return {};
    }
    const plaintext = childBytes(stanza, 'plaintext');
    if (!plaintext) throw new Refusal(400, 'message without content');
    const message = proto.Message.decode(plaintext);
    if (!isPublicPost(message, stanza)) throw new Refusal(UNREADABLE_POST, 'a file of chats');
    const content = readContent(message, contexts.forReading(device.phone).by(device.phone));
    if (!content || !isForChannels(content)) throw new Refusal(400, 'channels do not carry this');
    return { server_id: world.channels.send(device, to, { id, content }).serverId };
  };

  const carry = async (session: Session, stanza: Node, fault: FaultOrder | undefined): Promise<Outcome> => {
    if (fault?.kind === 'send_transient') throw new Refusal(TRANSIENT, 'ordered fault');
    const name = `${session.device.sessionId} ${stanza.attrs.id}`;
    if (fault?.kind === 'send_permanent') refusedForGood.set(name, fault.code ?? PERMANENT);
    const refusal = refusedForGood.get(name);
    if (refusal !== undefined) throw new Refusal(refusal, 'ordered fault');
    if (isChannelJid(stanza.attrs.to ?? '')) return intoChannel(session, stanza);
    return stanza.attrs.category === 'peer' ? toOwnPhone(session, stanza) : intoChat(session, stanza);
  };

  const refused = (error: unknown): Outcome => {
    const { code, message } = refusalOf(error);
    log.debug({ code, message }, 'message refused');
    return { error: code };
  };

  return async (session, stanza) => {
    const { id, to, category } = stanza.attrs;
    if (!id || !to) return;
    const fault = category === 'peer' ? undefined : world.faults.takeForSend(session.device.sessionId);
    // effects of the message wait for a turn of the event loop, so that the ack leaves before them
    const outcome = await carry(session, stanza, fault).catch(refused);
    if (fault?.kind === 'no_ack') return;
    const ack = node('ack', { class: 'message', id, from: to, t: unixSeconds(clock), ...outcome });
    if (fault?.kind === 'slow') clock.after(fault.ms, () => session.send(ack));
    else session.send(ack);
  };
}

function isReaction({ attrs }: Node): boolean {
  return attrs.type === 'reaction';
}

function isAdminDeletion({ attrs }: Node): boolean {
  return attrs.edit === DELETED_BY_ADMIN;
}

/** The author of a poll marks it outside the ciphertext. */
function isVote(stanza: Node): boolean {
  return stanza.attrs.type === 'poll' && child(stanza, 'meta')?.attrs.polltype !== 'creation';
}

function isSame(device: LinkedDevice, phone: PhoneNumber, number: number): boolean {
  return device.phone === phone && device.device === number;
}

type ForChannels = Extract<Content, { type: 'text' | 'image' | 'video' | 'audio' | 'document' | 'sticker' }>;

function isForChannels(content: Content): content is ForChannels {
  return ['text', 'image', 'video', 'audio', 'document', 'sticker'].includes(content.type);
}

/** Files of channels are on servers of their own, without a URL, and named by kind and handle in the stanza. */
function isPublicPost(message: proto.IMessage, stanza: Node): boolean {
  const { imageMessage, videoMessage, audioMessage, documentMessage } = message;
  const kinds = { image: imageMessage, video: videoMessage, audio: audioMessage, document: documentMessage };
  const [kind, file] = Object.entries(kinds).find(([, each]) => each) ?? [];
  if (!file || !kind) return true;
  const path = file.directPath?.split('?')[0] ?? '';
  const { mediatype } = child(stanza, 'plaintext')?.attrs ?? {};
  return (
    path.startsWith(`/newsletter/newsletter-${kind}/`) &&
    !file.url &&
    mediatype === (audioMessage?.ptt ? 'ptt' : kind) &&
    stanza.attrs.media_id === handleOf(path)
  );
}
