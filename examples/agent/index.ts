import { createParley, type KeptMessage } from '@parley/sdk';

/**
 * Answers customers from what was said before, and steps back as soon as the owner of the number types: then a human talks, for as long as the
 * human does. The rules of `answer` stand where you would ask a language model, with the same conversation.
 */
const parley = createParley({ url: process.env.PARLEY_URL, apiKey: process.env.PARLEY_API_KEY });
/** So much of a conversation is remembered. */
const REMEMBERED = 20;
/** A human who has been silent for so long has left. */
const HANDS_OFF_SECONDS = 30 * 60;

const [session] = (await parley.sessions.list()).sessions;
if (!session) throw new Error('Link a number first.');
// From now on the number remembers its conversations: what comes, what is sent, and what its owner types on the phone.
await parley.sessions.setHistory(session.session_id, { enabled: true, days: 30 });

const messages = parley.events.stream({
  kind: 'message',
  onOpen: () => console.log('Looking after customers'),
});
for await (const { event } of messages) {
  if (event.type !== 'text' || event.is_group || event.broadcast || event.from_me) continue;
  const conversation = parley.conversation(event);
  const said: KeptMessage[] = [];
  for await (const message of conversation.messages()) if (said.push(message) === REMEMBERED) break;

  const who = event.sender_name || event.chat_jid;
  if (
    said.some(
      (message) => isTyped(message) && event.timestamp_unix - message.timestamp_unix < HANDS_OFF_SECONDS,
    )
  ) {
    console.log(`A human talks with ${who}`);
    continue;
  }
  // Should the stream give the message to us twice, it is answered once.
  await conversation.reply(answer(event.text, said));
  console.log(`Answered ${who}`);
}

/** What was sent through the API carries the key that it was sent with; what was typed on the phone has none. */
function isTyped({ from_me, request_id }: KeptMessage): boolean {
  return from_me && request_id === undefined;
}

/** `said` is the conversation, the newest message first. */
function answer(question: string, said: readonly KeptMessage[]): string {
  const order = said.flatMap(({ text, from_me }) => (from_me ? [] : (/\b\d{4}\b/.exec(text) ?? [])))[0];
  if (order === undefined) return 'Which order is it about? Its number has four digits.';
  if (/ready|when/i.test(question)) return `Order ${order} is ready. We are open until six.`;
  return `Thank you. What would you like to know about order ${order}?`;
}
