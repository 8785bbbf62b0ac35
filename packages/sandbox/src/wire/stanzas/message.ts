import { proto } from 'baileys';
import type { Content, FaultOrder } from '../../world/index.ts';
import { isChannelJid, statusJid } from '../../world/index.ts';
import { createBoundedMap } from '../bounded-map.ts';
import { readContent } from '../content/index.ts';
import { Refusal, refusalOf } from '../errors.ts';
import type { StanzaHandler } from '../login/session.ts';
import type { Network, Session } from '../network.ts';
import { unixSeconds } from '../ports.ts';
import { child, childBytes, type Node, node } from '../transport/nodes.ts';
import type { ContentContexts } from './content-contexts.ts';
import type { MessageReader } from './message-reader.ts';

/** The numbers that an ordered fault puts into an ack; see the README for what a client makes of them. */
const TRANSIENT = 503;
const PERMANENT = 479;
const MOST_REFUSED = 1_000;

/** What an ack carries besides the id. */
type Outcome = { server_id?: number } | { error: number };

/** The last step, after everything that takes time: the message enters the world, or is refused. */
type Delivery = () => Outcome;

/** Messages that a client sends: to people, groups, its story's audience, its channels and its own phone. */
export function createMessageHandler({
  network: { world, clock, log },
  reader,
  contexts,
}: {
  network: Network;
  reader: MessageReader;
  contexts: ContentContexts;
}): StanzaHandler {
  /** Messages that were refused for good stay so: clients try a second time before they believe it. */
  const refused = createBoundedMap<string, true>(MOST_REFUSED);

  const intoChat = async (session: Session, stanza: Node): Promise<Delivery> => {
    const { id = '', to = '', category } = stanza.attrs;
    const opened = await reader.open(session, stanza);
    if (!opened || category === 'peer') return () => ({});
    const content = readContent(opened.message, contexts.forReading(session.device.phone));
    if (!content) return () => ({});
    const audience = to === statusJid ? { audience: [...opened.audience] } : {};
    const place = opened.at === undefined ? {} : { at: opened.at };
    return () => {
      world.messages.send(session.device, { id, to, content, ...audience, ...place });
      return {};
    };
  };

  const intoChannel = ({ device }: Session, stanza: Node): Delivery => {
    const { id = '', to = '', server_id, type } = stanza.attrs;
    if (type === 'reaction') {
      return () => {
        const emoji = child(stanza, 'reaction')?.attrs.code ?? '';
        world.channels.react(device, to, Number(server_id), emoji);
        return {};
      };
    }
    const plaintext = childBytes(stanza, 'plaintext');
    if (!plaintext) throw new Refusal(400, 'message without content');
    const content = readContent(proto.Message.decode(plaintext), contexts.forReading(device.phone));
    if (!content || !isForChannels(content)) throw new Refusal(400, 'channels do not carry this');
    return () => ({ server_id: world.channels.send(device, to, { id, content }).serverId });
  };

  const prepare = async (
    session: Session,
    stanza: Node,
    fault: FaultOrder | undefined,
  ): Promise<Delivery> => {
    if (fault?.kind === 'send_transient') throw new Refusal(TRANSIENT, 'ordered fault');
    const name = `${session.device.sessionId} ${stanza.attrs.id}`;
    if (fault?.kind === 'send_permanent') refused.set(name, true);
    if (refused.has(name)) throw new Refusal(PERMANENT, 'ordered fault');
    return isChannelJid(stanza.attrs.to ?? '') ? intoChannel(session, stanza) : intoChat(session, stanza);
  };

  const outcomeOf = (delivery: Delivery): Outcome => {
    try {
      return delivery();
    } catch (error) {
      const { code, message } = refusalOf(error);
      log.debug({ code, message }, 'message refused');
      return { error: code };
    }
  };

  return async (session, stanza) => {
    const { id, to, category } = stanza.attrs;
    if (!id || !to) return;
    const fault = category === 'peer' ? undefined : world.faults.takeForSend(session.device.sessionId);
    const delivery = await prepare(session, stanza, fault).catch((error: unknown): Delivery => {
      return () => {
        throw error;
      };
    });
    // in one breath, so that the ack leaves before whatever the message brings about
    const outcome = outcomeOf(delivery);
    if (fault?.kind === 'no_ack') return;
    const ack = node('ack', { class: 'message', id, from: to, t: unixSeconds(clock), ...outcome });
    if (fault?.kind === 'slow') clock.after(fault.ms, () => session.send(ack));
    else session.send(ack);
  };
}

type ForChannels = Extract<Content, { type: 'text' | 'image' | 'video' | 'audio' | 'document' | 'sticker' }>;

function isForChannels(content: Content): content is ForChannels {
  return ['text', 'image', 'video', 'audio', 'document', 'sticker'].includes(content.type);
}
