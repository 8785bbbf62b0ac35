import { proto } from 'baileys';
import type { Content, FaultOrder } from '../../world/index.ts';
import { isChannelJid, statusJid } from '../../world/index.ts';
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

/** What the ack of an accepted message carries besides its id. */
type Accepted = { server_id?: number };

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
  const acceptInChat = async (session: Session, stanza: Node): Promise<Accepted> => {
    const { id = '', to = '', category } = stanza.attrs;
    const opened = await reader.open(session, stanza);
    if (!opened || category === 'peer') return {};
    const content = readContent(opened.message, contexts.forReading(session.device.phone));
    if (!content) return {};
    const audience = to === statusJid ? { audience: [...opened.audience] } : {};
    world.messages.send(session.device, { id, to, content, ...audience });
    return {};
  };

  const acceptInChannel = (session: Session, stanza: Node): Accepted => {
    const { id = '', to = '', server_id, type } = stanza.attrs;
    if (type === 'reaction') {
      world.channels.react(
        session.device,
        to,
        Number(server_id),
        child(stanza, 'reaction')?.attrs.code ?? '',
      );
      return {};
    }
    const plaintext = childBytes(stanza, 'plaintext');
    if (!plaintext) throw new Refusal(400, 'message without content');
    const content = readContent(proto.Message.decode(plaintext), contexts.forReading(session.device.phone));
    if (!content || !isForChannels(content)) throw new Refusal(400, 'channels do not carry this');
    return { server_id: world.channels.send(session.device, to, { id, content }).serverId };
  };

  const accept = async (session: Session, stanza: Node, fault: FaultOrder | undefined): Promise<Accepted> => {
    if (fault?.kind === 'send_transient') throw new Refusal(TRANSIENT, 'ordered fault');
    if (fault?.kind === 'send_permanent') throw new Refusal(PERMANENT, 'ordered fault');
    return isChannelJid(stanza.attrs.to ?? '')
      ? acceptInChannel(session, stanza)
      : acceptInChat(session, stanza);
  };

  return async (session, stanza) => {
    const { id, to, category } = stanza.attrs;
    if (!id || !to) return;
    const fault = category === 'peer' ? undefined : world.faults.takeForSend(session.device.sessionId);
    const ack = await accept(session, stanza, fault).catch((error: unknown) => {
      const { code, message } = refusalOf(error);
      log.debug({ session: session.device.sessionId, code, message }, 'message refused');
      return { error: code };
    });
    if (fault?.kind === 'no_ack') return;
    const answer = node('ack', { class: 'message', id, from: to, t: unixSeconds(clock), ...ack });
    if (fault?.kind === 'slow') clock.after(fault.ms, () => session.send(answer));
    else session.send(answer);
  };
}

type ForChannels = Extract<Content, { type: 'text' | 'image' | 'video' | 'audio' | 'document' | 'sticker' }>;

function isForChannels(content: Content): content is ForChannels {
  return ['text', 'image', 'video', 'audio', 'document', 'sticker'].includes(content.type);
}
