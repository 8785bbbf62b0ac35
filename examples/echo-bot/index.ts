import { createParley } from 'parley-sdk';

/** Answers every text with the same words, as a reply. The smallest possible bot: no server, no public address, one loop. */
const parley = createParley({ url: process.env.PARLEY_URL, apiKey: process.env.PARLEY_API_KEY });

const messages = parley.events.stream({ kind: 'message', onOpen: () => console.log('Waiting for messages') });
for await (const { event } of messages) {
  // Stories of contacts arrive as messages too, and get no answer.
  if (event.type !== 'text' || event.broadcast) continue;

  await parley.messages.send(
    {
      session_id: event.session_id,
      to: event.chat_jid,
      text: event.text,
      quoted_message_id: event.message_id,
      quoted_participant: event.sender_jid,
      quoted_text: event.text,
    },
    // Made from the message id: a message that the stream delivers twice is answered once.
    { idempotencyKey: `echo-${event.message_id}` },
  );
  console.log(`${event.sender_name || event.sender_jid}: ${event.text}`);
}
