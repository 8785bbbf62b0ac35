import { createParley, type KeptMessage } from 'parley-sdk';

/**
 * Answers customers from the stored conversation, and stops as soon as the owner of the number types: a human has taken over,
 * until they are silent for a while. Replace the rules of `answer` with a call to a language model, which gets the same
 * conversation.
 */
const parley = createParley({ url: process.env.PARLEY_URL, apiKey: process.env.PARLEY_API_KEY });
/** Messages of the conversation that are read. */
const REMEMBERED = 20;
/** After this silence of the owner the agent answers again. */
const HANDS_OFF_SECONDS = 30 * 60;

const [session] = (await parley.sessions.list()).sessions;
if (!session) throw new Error('Link a number first.');
// Switches the history of the number on: messages received, sent, and typed on the phone.
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
  // The reply is idempotent: a message that the stream delivers twice is answered once.
  await conversation.reply(answer(event.text, said));
  console.log(`Answered ${who}`);
}

/** Messages sent through the API have the key of their send; those typed on the phone have none. */
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
