import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { decoded } from '@parley/contract/plain';
import { proto } from 'baileys';
import type { Person } from '../../world/index.ts';
import { lidJid, userJid } from '../../world/index.ts';
import { type ContentCodec, keyOf, readMarks, writeMarks } from './content-codec.ts';

const SECRET_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

const poll: ContentCodec<'poll'> = {
  write(content, context) {
    const creation = {
      name: content.name,
      options: content.options.map((optionName) => ({ optionName })),
      selectableOptionsCount: content.selectableCount,
      contextInfo: writeMarks(content, context),
    };
    const messageContextInfo = { messageSecret: Buffer.from(content.secret, 'base64') };
    // single-choice polls have a message type of their own
    return content.selectableCount === 1
      ? { messageContextInfo, pollCreationMessageV3: creation }
      : { messageContextInfo, pollCreationMessage: creation };
  },
  read(message, context) {
    const creation =
      message.pollCreationMessage ?? message.pollCreationMessageV2 ?? message.pollCreationMessageV3;
    if (!creation) return undefined;
    const secret = message.messageContextInfo?.messageSecret ?? context.randomBytes(SECRET_BYTES);
    return {
      type: 'poll',
      name: creation.name ?? '',
      options: (creation.options ?? []).map((option) => option.optionName ?? ''),
      selectableCount: creation.selectableOptionsCount ?? 0,
      secret: Buffer.from(secret).toString('base64'),
      ...readMarks(creation.contextInfo, context),
    };
  },
};

const pollVote: ContentCodec<'poll_vote'> = {
  write(content, context) {
    const asked = context.pollOf(content.target);
    if (!asked) throw new Error('vote on an unknown poll');
    const names: VoteNames = {
      pollId: content.target,
      creator: context.addressOf(asked.author),
      voter: context.addressOf(context.sender),
    };
    const plaintext = proto.Message.PollVoteMessage.encode({
      selectedOptions: content.hashes.map((hash) => Buffer.from(hash, 'hex')),
    }).finish();
    const encIv = context.randomBytes(IV_BYTES);
    return {
      pollUpdateMessage: {
        pollCreationMessageKey: keyOf(content.target, context),
        vote: { encIv, encPayload: sealVote(asked.secret, names, encIv, plaintext) },
        senderTimestampMs: context.at,
      },
    };
  },
  read({ pollUpdateMessage: update }, context) {
    const target = update?.pollCreationMessageKey?.id;
    const { encIv, encPayload } = update?.vote ?? {};
    const asked = target ? context.pollOf(target) : undefined;
    if (!target || !asked || !encIv || !encPayload) return undefined;
    // clients differ in which of a person's two addresses goes into the key
    for (const creator of addresses(asked.author)) {
      for (const voter of addresses(context.sender)) {
        const plaintext = openVote(asked.secret, { pollId: target, creator, voter }, encIv, encPayload);
        if (!plaintext) continue;
        const { selectedOptions } = proto.Message.PollVoteMessage.decode(plaintext);
        const hashes = selectedOptions.map((hash) => Buffer.from(hash).toString('hex'));
        return { type: 'poll_vote', target, hashes };
      }
    }
    return undefined;
  },
};

interface VoteNames {
  readonly pollId: string;
  readonly creator: string;
  readonly voter: string;
}

function addresses(person: Person): string[] {
  return [lidJid(person.lid), userJid(person.phone)];
}

function voteKey(secret: Uint8Array, { pollId, creator, voter }: VoteNames): Buffer {
  const base = createHmac('sha256', Buffer.alloc(32)).update(secret).digest();
  return createHmac('sha256', base).update(`${pollId}${creator}${voter}Poll Vote\x01`).digest();
}

function sealVote(secret: Buffer, names: VoteNames, iv: Uint8Array, plaintext: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', voteKey(secret, names), iv);
  cipher.setAAD(Buffer.from(`${names.pollId}\0${names.voter}`));
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

function openVote(secret: Buffer, names: VoteNames, iv: Uint8Array, sealed: Uint8Array): Buffer | undefined {
  if (iv.length !== IV_BYTES || sealed.length < TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', voteKey(secret, names), iv);
  decipher.setAAD(Buffer.from(`${names.pollId}\0${names.voter}`));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return decoded(() => Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]));
}

/** Polls and their votes. */
export const polls = { poll, poll_vote: pollVote };
