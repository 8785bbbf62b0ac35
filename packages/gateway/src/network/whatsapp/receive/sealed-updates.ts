import { createHash } from 'node:crypto';
import { normalizeMessageContent, proto } from 'baileys';
import { decoded } from '#kernel';
import type { Jid, PollContent } from '../../content.ts';
import type { MessageEvent, PollVoteEvent } from '../../events.ts';
import {
  accountsOf,
  boundedId,
  isLid,
  isOnlyByAuthor,
  isPerson,
  type Me,
  type MessageHead,
  messageEventId,
  openUpdate,
  pollContent,
  readUpdateContent,
  type SealedUpdate,
  sealedUpdateIn,
  toEvent,
} from '../convert/index.ts';
import type { Log } from '../guards/index.ts';
import { type KeyBatch, LASTING_SECRET, type MessageSecret, SECRET, type Vault } from '../vault/index.ts';
import { bothAddresses } from './people.ts';

/** Length of every secret that official clients make. */
const SECRET_BYTES = 32;

/**
 * Edits, votes and other updates are encrypted under a secret of the message that they are about. So the secret of
 * every message is stored, by message id and author, so that no message of another author takes its place.
 */
export function secretOf(
  message: proto.IMessage | undefined,
  messageId: string,
  authors: readonly Jid[],
): KeyBatch {
  const inner = message && normalizeMessageContent(message);
  const secret = message?.messageContextInfo?.messageSecret ?? inner?.messageContextInfo?.messageSecret;
  if (!inner || secret?.length !== SECRET_BYTES || isUpdate(inner)) return {};
  const poll = pollContent(inner);
  const people = authors.filter(isPerson);
  const author = people.find(isLid) ?? people[0];
  if (author === undefined) return {};
  const record: MessageSecret = { secret, authors: people, ...(poll ? { poll } : {}) };
  const kind = poll || inner.eventMessage ? LASTING_SECRET : SECRET;
  return { [kind]: { [nameOf(messageId, author)]: record } };
}

function nameOf(messageId: string, author: Jid): string {
  return `${messageId} ${author}`;
}

/** Whether it changes another message instead of being one. */
function isUpdate(message: proto.IMessage): boolean {
  return Boolean(message.reactionMessage ?? message.protocolMessage ?? sealedUpdateIn(message));
}

/** Addresses under which the author of a message may be known. */
export function authorsOf(head: MessageHead, attrs: Readonly<Record<string, string>>, me: Me): Jid[] {
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

interface Reading {
  readonly vault: Pick<Vault, 'read' | 'commit'>;
  readonly me: Me;
  readonly log: Pick<Log, 'warn'>;
  /** Whether the message that an update is about may still come. */
  readonly canWait: boolean;
  readonly onUnread: (kind: string) => void;
}

/**
 * Undefined when it becomes no event. An update that cannot be read becomes an event that says so; one that came before
 * its message, as after a failed commit, waits for it.
 */
export async function readUpdate(
  { vault, me, log, canWait, onUnread }: Reading,
  message: proto.IMessage,
  update: SealedUpdate,
  head: MessageHead,
  senders: readonly Jid[],
): Promise<MessageEvent | PollVoteEvent | 'later' | undefined> {
  const id = messageEventId(message, head);
  if (id === undefined) return undefined;
  const targetId = boundedId(update.target.id ?? '');
  const updaters = await bothAddresses(vault, senders.filter(isPerson));
  const { participant, remoteJid } = update.target;
  const named = accountsOf(me.id, me.lid, participant, remoteJid).filter(isPerson);
  const others = await findSecrets(vault, targetId, await bothAddresses(vault, named));
  const own = await findSecrets(vault, targetId, updaters);
  // Of the updater's own message, where only the author may update it.
  const known = isOnlyByAuthor(update) ? own : [...own, ...others];
  if (own.length + others.length === 0 && canWait) return 'later';
  const opened = await Promise.all(
    known.map(async (found) => {
      // A history names authors by one address, and their phones may use the other.
      const authors = await bothAddresses(vault, found.record.authors);
      return { found, plaintext: openUpdate(update, { ...found.record, authors }, updaters) };
    }),
  );
  const { found, plaintext } = opened.find((one) => one.plaintext) ?? {};
  const poll = found?.record.poll;
  const reason = known.length > 0 ? 'no key fits' : 'the secret of the message is unknown';
  const noteUnread = (): void => {
    log.warn({ update: update.kind, reason }, UNREAD);
    onUnread(update.kind);
  };
  if (update.kind === 'vote') {
    const choice = plaintext && choiceIn(plaintext, poll?.options);
    if (!choice) noteUnread();
    const { timestamp, chat, sender } = head;
    return (
      choice && { kind: 'poll_vote', id, timestamp, pollMessageId: targetId, chat, voter: sender, ...choice }
    );
  }
  const read = plaintext && readUpdateContent(update, plaintext, head, poll);
  if (!read) {
    noteUnread();
    return toEvent(head, {
      content: { kind: 'other', text: '', unreadable: { update: update.kind, targetId } },
    });
  }
  if (found && read.content.kind === 'poll') await keepPoll(vault, found, read.content);
  return toEvent(head, read);
}

const UNREAD = 'an encrypted update of a message could not be read';

interface FoundSecret {
  readonly kind: string;
  readonly id: string;
  readonly record: MessageSecret;
}

async function findSecrets(
  vault: Pick<Vault, 'read'>,
  targetId: string,
  authors: readonly Jid[],
): Promise<readonly FoundSecret[]> {
  const ids = authors.map((author) => nameOf(targetId, author));
  const kinds = [SECRET, LASTING_SECRET];
  const found = await Promise.all(
    kinds.map(async (kind) => ({ kind, records: await vault.read(kind, ids) })),
  );
  return found.flatMap(({ kind, records }) =>
    // Written by `secretOf`.
    [...records].map(([id, record]) => ({ kind, id, record: record as MessageSecret })),
  );
}

/** Later votes may be for options that the poll has got since. */
async function keepPoll(
  vault: Pick<Vault, 'commit'>,
  { kind, id, record }: FoundSecret,
  { editedId, ...poll }: PollContent & { readonly editedId?: string },
): Promise<void> {
  await vault.commit({ puts: [{ kind, id, value: { ...record, poll } }] });
}

/** Undefined when the plaintext is invalid. */
function choiceIn(
  plaintext: Uint8Array,
  options: readonly string[] | undefined,
): Pick<PollVoteEvent, 'selectedHashes' | 'selectedOptions'> | undefined {
  const vote = decoded(() => proto.Message.PollVoteMessage.decode(plaintext));
  if (!vote) return undefined;
  const selectedHashes = vote.selectedOptions.map((hash) => Buffer.from(hash).toString('hex'));
  const selectedOptions = optionsBehind(selectedHashes, options);
  return { selectedHashes, ...(selectedOptions ? { selectedOptions } : {}) };
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
