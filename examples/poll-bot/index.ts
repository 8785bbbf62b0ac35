import { createHash } from 'node:crypto';
import { createParley, type MessageEvent, type PollVoteEvent } from 'parley-sdk';

/**
 * Runs polls in any chat. “poll Lunch? Soup, Salad” starts one, “result” counts it. Votes are hashes of the chosen options, which
 * only those who know the options can resolve.
 */
interface Poll {
  readonly name: string;
  readonly options: readonly string[];
  readonly votes: Map<string, readonly string[]>;
}

const parley = createParley({ url: process.env.PARLEY_URL, apiKey: process.env.PARLEY_API_KEY });
const polls = new Map<string, Poll>();
const latestIn = new Map<string, Poll>();

const events = parley.events.stream({ onOpen: () => console.log('Waiting for polls') });
for await (const { event } of events) {
  if (event.kind === 'poll_vote') count(event);
  if (event.kind === 'message' && event.type === 'text') await answer(event);
}

async function answer(event: MessageEvent): Promise<void> {
  const [, name, list] = /^poll (.+\?) (.+)$/i.exec(event.text) ?? [];
  if (name && list)
    await start(
      event,
      name,
      list.split(',').map((option) => option.trim()),
    );
  if (/^result$/i.test(event.text)) await sendResult(event);
}

async function start(
  { session_id, chat_jid, message_id }: MessageEvent,
  name: string,
  options: string[],
): Promise<void> {
  const sent = await parley.messages.send(
    {
      session_id,
      to: chat_jid,
      type: 'poll',
      poll_name: name,
      poll_options: options,
      poll_selectable_count: 1,
    },
    { idempotencyKey: `poll-${message_id}` },
  );
  const poll = { name, options, votes: new Map() };
  polls.set(sent.message_id, poll);
  latestIn.set(chat_jid, poll);
  console.log(`Asked: ${name} ${options.join(' / ')}`);
}

/** A vote replaces the voter's last one; an empty list withdraws it. */
function count({ poll_message_id, voter_jid, selected_hashes }: PollVoteEvent): void {
  const poll = polls.get(poll_message_id);
  if (!poll) return;
  const chosen = poll.options.filter((option) => selected_hashes.includes(hashOf(option)));
  poll.votes.set(voter_jid, chosen);
  console.log(`Voted: ${chosen.join(', ') || 'nothing any more'}`);
}

async function sendResult({ session_id, chat_jid, message_id }: MessageEvent): Promise<void> {
  const poll = latestIn.get(chat_jid);
  if (!poll) return;
  const chosen = [...poll.votes.values()].flat();
  const lines = poll.options.map((option) => `${option}: ${chosen.filter((each) => each === option).length}`);
  await parley.messages.send(
    { session_id, to: chat_jid, text: [poll.name, ...lines].join('\n') },
    { idempotencyKey: `result-${message_id}` },
  );
}

function hashOf(option: string): string {
  return createHash('sha256').update(option).digest('hex');
}
