import { type EventKind, phoneOf } from '@parley/contract';
import { eventTexts } from '../../texts/activity.ts';
import { formatPhone } from '../../ui/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An event in a line: what happened, and by whom. Never what was said. */
export function describe(kind: EventKind, event: Fields): string {
  return TELLERS[kind](event);
}

const TELLERS: Readonly<Record<EventKind, (event: Fields) => string>> = {
  message({ type, sender_name, sender_phone, sender_jid, broadcast, is_group }) {
    const who = nameOf(sender_name) ?? personOf(sender_phone ?? sender_jid);
    if (broadcast === true) return eventTexts.story(who);
    const what = eventTexts.types[String(type)] ?? eventTexts.types.other ?? '';
    const told = eventTexts.message(what, who);
    return is_group === true ? `${told} ${eventTexts.inGroup}` : told;
  },
  receipt({ receipt_type, recipient_jid }) {
    const tell = eventTexts.receipts[String(receipt_type)];
    return tell?.(personOf(recipient_jid)) ?? String(receipt_type);
  },
  status({ status, to, reason }) {
    const who = personOf(to);
    return status === 'failed' ? eventTexts.failed(who, String(reason)) : eventTexts.sent(who);
  },
  connection: ({ event }) => eventTexts.connections[String(event)] ?? String(event),
  poll_vote: ({ voter_jid }) => eventTexts.vote(personOf(voter_jid)),
  typing({ sender_jid, typing, media }) {
    const who = personOf(sender_jid);
    if (typing !== true) return eventTexts.stopped(who);
    return media === 'audio' ? eventTexts.recording(who) : eventTexts.typing(who);
  },
  presence({ contact_jid, online }) {
    const who = personOf(contact_jid);
    return online === true ? eventTexts.online(who) : eventTexts.offline(who);
  },
  call({ from_jid, event, video, rejected }) {
    const who = personOf(from_jid);
    if (event !== 'offer') return eventTexts.callEnded(who);
    const told = video === true ? eventTexts.videoCall(who) : eventTexts.call(who);
    return rejected === true ? `${told}, ${eventTexts.rejected}` : told;
  },
  newsletter_message: () => eventTexts.post,
};

/** A name may be missing, empty, or left out as content. */
function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && !value.startsWith('[redacted') ? value : undefined;
}

export function personOf(jid: unknown): string {
  if (typeof jid !== 'string' || jid === '') return eventTexts.somebody;
  return formatPhone(phoneOf(jid) ?? jid);
}
