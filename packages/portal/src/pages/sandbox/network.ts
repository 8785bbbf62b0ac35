import { call, Problem } from '../../api/index.ts';

/** Client of `/sandbox/v1`, as far as the pages use it; see docs/sandbox.md. */

export interface PhoneSummary {
  readonly phone: string;
  readonly jid: string;
  readonly lid: string;
  readonly name: string;
  readonly online: boolean;
}

export interface LinkedDevice {
  readonly session_id: string;
  readonly online: boolean;
  readonly linked_at_unix: number;
}

export interface Call {
  readonly call_id: string;
  readonly direction: 'incoming' | 'outgoing';
  readonly peer_jid: string;
  readonly video: boolean;
  readonly state: 'ringing' | 'rejected' | 'ended';
  readonly started_at_unix: number;
}

export interface PhoneDetail extends PhoneSummary {
  readonly duplicates_dropped: number;
  /** Restrictions by the network; 0 and null mean none. */
  readonly banned_until_unix: number;
  readonly locked: boolean;
  readonly restriction: { readonly type: string; readonly ends_unix: number } | null;
  readonly new_chats: { readonly quota: number; readonly used: number; readonly status: string } | null;
  readonly linked_devices: readonly LinkedDevice[];
  readonly contacts: readonly { readonly jid: string; readonly full_name: string }[];
  readonly groups: readonly { readonly jid: string; readonly name: string }[];
  readonly channels: readonly { readonly jid: string; readonly name: string; readonly role: string }[];
  readonly typing: readonly {
    readonly chat_jid: string;
    readonly sender_jid: string;
    readonly media: 'text' | 'audio';
  }[];
  readonly calls: readonly Call[];
}

export interface Media {
  readonly mimetype: string;
  readonly file_length: number;
  readonly sha256: string;
  readonly filename?: string;
}

export interface Poll {
  readonly name: string;
  readonly options: readonly string[];
  readonly selectable_count: number;
  readonly votes: readonly { readonly jid: string; readonly options: readonly string[] }[];
}

export interface ReplyButton {
  readonly type: 'quick_reply' | 'cta_url' | 'cta_copy' | 'cta_call' | 'single_select';
  readonly display_text: string;
  readonly id?: string;
  readonly url?: string;
  readonly copy_code?: string;
  readonly phone_number?: string;
  readonly sections?: readonly {
    readonly title: string;
    readonly rows: readonly { readonly id: string; readonly title: string; readonly description?: string }[];
  }[];
}

export interface Message {
  readonly message_id: string;
  readonly chat_jid: string;
  readonly sender_jid: string;
  readonly from_me: boolean;
  readonly is_group: boolean;
  readonly type: string;
  readonly text: string;
  readonly timestamp_unix: number;
  readonly receipts: readonly { readonly jid: string; readonly type: 'delivered' | 'read' | 'played' }[];
  readonly edited: boolean;
  readonly revoked: boolean;
  /** In channels reactions have a count and no author. */
  readonly reactions: readonly { readonly jid?: string; readonly emoji: string; readonly count?: number }[];
  readonly forwarded?: boolean;
  readonly quoted_message_id?: string;
  readonly quoted_text?: string;
  readonly media?: Media;
  readonly location?: { latitude: number; longitude: number; name: string; address: string };
  readonly contact?: { display_name: string };
  readonly poll?: Poll;
  readonly interactive?: { body: string; footer: string; buttons: readonly ReplyButton[] };
  readonly group_invite?: { name: string };
  readonly disappearing_seconds?: number;
}

/** Address of the stories. */
export const STATUS_JID = 'status@broadcast';

const SEEN_MAX = 400;

export async function listPhones(): Promise<readonly PhoneSummary[]> {
  return (await ask<{ phones: PhoneSummary[] }>('GET', '/phones')).phones;
}

export interface PhoneState {
  readonly detail: PhoneDetail;
  /** Newest last. */
  readonly messages: readonly Message[];
}

export async function loadPhone(phone: string): Promise<PhoneState> {
  const [detail, { messages }] = await Promise.all([
    ask<PhoneDetail>('GET', `/phones/${phone}`),
    ask<{ messages: Message[] }>('GET', `/phones/${phone}/messages?limit=${SEEN_MAX}`),
  ]);
  return { detail, messages };
}

export async function postsOf(phone: string, channel: string): Promise<readonly Message[]> {
  const chat = encodeURIComponent(channel);
  return (await ask<{ messages: Message[] }>('GET', `/phones/${phone}/messages?chat=${chat}`)).messages;
}

export async function addPhone(phone: string, name: string): Promise<void> {
  await ask('POST', '/phones', { phone, name });
}

export interface FaultOrder {
  session_id: string;
  fault: string;
  count?: number;
  ms?: number;
  /** Error code of an ended connection or refused login; a ban also has a reason and a duration. */
  code?: number;
  reason_code?: number;
  expire_s?: number;
}

export async function armFault(body: FaultOrder): Promise<void> {
  await ask('POST', '/faults', body);
}

/** Object URL of a message's file. */
export async function fileOf({ sha256, mimetype }: Media): Promise<string> {
  const { media_base64 } = await ask<{ media_base64: string }>('GET', `/media/${sha256}`);
  return `data:${mimetype};base64,${media_base64}`;
}

/** Performs an action on a phone: `performAction('15550002001', '/receipts', { … })`. */
export async function performAction(phone: string, what: string, body: object): Promise<void> {
  await ask('POST', `/phones/${phone}${what}`, body);
}

async function ask<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  const answer = await call('useSandbox', { body: { method, path, ...(body && { body }) } });
  if (answer.status >= 400) throw new Problem(answer.status, wordsOf(answer.body));
  // Not validated: the sandbox is part of the gateway, and its tests hold these shapes.
  return answer.body as T;
}

function wordsOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'error' in body
    ? String(body.error)
    : 'the sandbox refused';
}
