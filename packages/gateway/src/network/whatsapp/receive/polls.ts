import { createHash } from 'node:crypto';
import { decryptPollVote, normalizeMessageContent, type proto } from 'baileys';
import type { PollVoteEvent } from '../../events.ts';
import {
  accountsOf,
  boundedId,
  type Me,
  type MessageHead,
  messageEventId,
  pollOptions,
} from '../convert/index.ts';
import type { KeyBatch, PollSecret, Vault } from '../vault/index.ts';

/**
 * Votes are encrypted under a secret of their poll. So the secret of every poll sent or received is stored, with
 * the options, which votes name by their hashes. The addresses of creator and voter are part of the key, and
 * phones differ in which of an account's two addresses they use: all are tried.
 */
export function pollSecretOf(
  message: proto.IMessage | undefined,
  messageId: string,
  creators: readonly string[],
): KeyBatch {
  const inner = message && normalizeMessageContent(message);
  const secret = message?.messageContextInfo?.messageSecret ?? inner?.messageContextInfo?.messageSecret;
  const options = inner && pollOptions(inner);
  if (!options || !secret) return {};
  return { poll: { [messageId]: { secret, creators, options } } };
}

/** Addresses under which the author of a message may be known. */
export function authorsOf(head: MessageHead, attrs: Readonly<Record<string, string>>, me: Me): string[] {
  if (head.fromMe) return accountsOf(me.id, me.lid);
  return accountsOf(
    head.sender,
    head.senderPhone,
    attrs.participant,
    attrs.participant_lid,
    attrs.from,
    attrs.sender_lid,
  );
}

/** Undefined when the poll is unknown or the vote cannot be decrypted. */
export async function readVote(
  vault: Pick<Vault, 'read'>,
  message: proto.IMessage,
  head: MessageHead,
  voters: readonly string[],
): Promise<PollVoteEvent | undefined> {
  const { pollCreationMessageKey, vote } = normalizeMessageContent(message)?.pollUpdateMessage ?? {};
  const pollMessageId = pollCreationMessageKey?.id && boundedId(pollCreationMessageKey.id);
  const id = messageEventId(message, head);
  if (!pollMessageId || !vote || id === undefined) return undefined;
  const found = await vault.read('poll', [pollMessageId]);
  // Written by `pollSecretOf`.
  const poll = found.get(pollMessageId) as PollSecret | undefined;
  const choice = poll && openVote(vote, pollMessageId, poll, voters);
  if (!choice) return undefined;
  const selectedHashes = (choice.selectedOptions ?? []).map((hash) => Buffer.from(hash).toString('hex'));
  const selectedOptions = optionsBehind(selectedHashes, poll.options);
  return {
    kind: 'poll_vote',
    id,
    timestamp: head.timestamp,
    pollMessageId,
    chat: head.chat,
    voter: head.sender,
    selectedHashes,
    ...(selectedOptions ? { selectedOptions } : {}),
  };
}

/** Undefined unless every option is known: a partial vote would be a different one. */
function optionsBehind(
  hashes: readonly string[],
  options: readonly string[] | undefined,
): string[] | undefined {
  if (!options) return undefined;
  const byHash = new Map(
    options.map((option) => [createHash('sha256').update(option).digest('hex'), option]),
  );
  const chosen = hashes.flatMap((hash) => byHash.get(hash) ?? []);
  return chosen.length === hashes.length ? chosen : undefined;
}

function openVote(
  vote: proto.Message.IPollEncValue,
  pollMsgId: string,
  { secret, creators }: PollSecret,
  voters: readonly string[],
): proto.Message.IPollVoteMessage | undefined {
  for (const pollCreatorJid of creators) {
    for (const voterJid of voters) {
      try {
        return decryptPollVote(vote, { pollCreatorJid, pollMsgId, pollEncKey: secret, voterJid });
      } catch (error) {
        // Any other failure means an invalid vote.
        if (!isSealedForOthers(error)) return undefined;
      }
    }
  }
  return undefined;
}

/** Recognizes a wrong pair of addresses; OpenSSL gives only a text. */
function isSealedForOthers(error: unknown): boolean {
  return error instanceof Error && error.message.includes('unable to authenticate data');
}
