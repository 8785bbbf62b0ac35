import { compileCheck, EVENT_SCHEMAS, type PublicEvent } from '@parley/contract';
import { expect } from 'vitest';
import type { NumberKeeper } from '#conversations';
import type { NewEvent } from '#events';
import type { InboundContent, MessageEvent, NetworkEvent } from '#network';
import { createNetworkEventSink, type ListeningSession } from '../sink.ts';

export const SESSION = '15550001001:1@s.whatsapp.net';
export const SESSION_OWNER = '15550001001@s.whatsapp.net';
export const ADA = '15550002001@s.whatsapp.net';
export const GROUP = '120363041234567890@g.us';

export const chatOf = async (jid: string): Promise<string> => jid;

/** A member of every group, and its admins. */
export const groups: ListeningSession['session']['groups'] = {
  async detail(jid) {
    if (stage.groupsFailure) throw stage.groupsFailure;
    return {
      ...{ jid, name: 'Lunch', description: '', createdAt: 0, announce: false, locked: false },
      participants: [ADA, ...stage.admins].map((member) => ({
        jid: member,
        isAdmin: stage.admins.includes(member),
        isSuperAdmin: false,
      })),
    };
  },
};

/** What surrounds the sink in a test: what it asks for, and what it did. */
interface Stage {
  isAsked: boolean;
  emitted: NewEvent[][];
  download: ListeningSession['session']['download'];
  noted: unknown[];
  /** Of the log. */
  lines: object[];
  inbound: unknown[];
  keeper: NumberKeeper | undefined;
  arrivals: unknown[];
  /** Messages that the number has sent through the gateway. */
  sent: string[];
  /** Admins of every group. */
  admins: string[];
  groupsFailure: Error | undefined;
  /** The stored message has another author. */
  isKeptOfAnother: boolean;
}

const newStage = (): Stage => ({
  isAsked: true,
  emitted: [],
  noted: [],
  lines: [],
  inbound: [],
  keeper: undefined,
  arrivals: [],
  sent: [],
  admins: [],
  groupsFailure: undefined,
  isKeptOfAnother: false,
  download: async () => Buffer.from('file'),
});

/** The stage of the test that runs; cleared before each. */
export const stage = newStage();

export function clearStage(): void {
  Object.assign(stage, newStage());
}

/** Nothing is put aside here, and nothing waits. */
export const undisturbed = {
  asked: async () => stage.isAsked,
  sent: async (_slotId: string, messageId: string) => stage.sent.includes(messageId),
  histories: { of: () => stage.keeper },
  files: {
    name: async ({ slotId }: { slotId: string }, event: string) => ({
      id: `med_${slotId}_${event}`,
      url: 'https://a/f',
    }),
    note: async (_number: object, arrived: object) => void stage.arrivals.push(arrived),
  },
  book: {
    sweep: () => Promise.reject(new Error('nothing was to be swept')),
    reachesForAnothers: async () => stage.isKeptOfAnother,
  },
  quarantine: { keep: () => Promise.reject(new Error('nothing was to be put aside')) },
  clock: { sleep: async () => {} },
  lines: {
    debug: (facts: object, name: string) => void stage.lines.push({ level: 'debug', name, ...facts }),
    info: (facts: object, name: string) => void stage.lines.push({ level: 'info', name, ...facts }),
  },
};

export async function take(...events: NetworkEvent[]): Promise<PublicEvent[]> {
  const sink = createNetworkEventSink({
    log: {
      async emit(news, people) {
        stage.emitted.push([...news]);
        stage.inbound.push(...people);
      },
    },
    receipts: {
      note: async (receipt) => {
        stage.noted.push(receipt);
        return receipt.messageId === 'OURS' ? 'order-1042' : '';
      },
    },
    ...undisturbed,
  });
  const number = { accountId: 'acc_1', slotId: 'slot_1', phone: '15550001001' };
  const session = {
    download: (...args: Parameters<Stage['download']>) => stage.download(...args),
    chatOf,
    groups,
  };
  await sink({ number, sessionId: SESSION, session }, events);
  const published = stage.emitted.flat().map(({ event }) => event);
  for (const event of published) expect(compileCheck(EVENT_SCHEMAS[event.kind])(event)).toBeNull();
  return published;
}

export function message(content: InboundContent, more: Partial<MessageEvent> = {}): MessageEvent {
  return {
    kind: 'message',
    id: `message/${ADA}/M1`,
    timestamp: 1_784_365_200,
    messageId: 'M1',
    chat: ADA,
    sender: ADA,
    senderPhone: ADA,
    senderName: 'Ada',
    isGroup: false,
    broadcast: false,
    content,
    ...more,
  };
}

export const common = {
  kind: 'message',
  message_id: 'M1',
  session_id: SESSION,
  sender_jid: ADA,
  sender_phone: ADA,
  sender_name: 'Ada',
  chat_jid: ADA,
  is_group: false,
  timestamp_unix: 1_784_365_200,
  broadcast: false,
};
