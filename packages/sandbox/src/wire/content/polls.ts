import { proto } from 'baileys';
import { openAddon, SECRET_BYTES, sealAddon } from './addons.ts';
import { type ContentCodec, keyOf, readMarks, writeMarks } from './content-codec.ts';

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
    const plaintext = proto.Message.PollVoteMessage.encode({
      selectedOptions: content.hashes.map((hash) => Buffer.from(hash, 'hex')),
    }).finish();
    const vote = sealAddon(context, 'Poll Vote', content.target, plaintext);
    if (!vote) throw new Error('vote on an unknown poll');
    return {
      pollUpdateMessage: {
        pollCreationMessageKey: keyOf(content.target, context),
        vote,
        senderTimestampMs: context.at,
      },
    };
  },
  read({ pollUpdateMessage: update }, context) {
    const target = update?.pollCreationMessageKey?.id;
    const plaintext = target && openAddon(context, 'Poll Vote', target, update.vote ?? {});
    if (!plaintext) return undefined;
    const { selectedOptions } = proto.Message.PollVoteMessage.decode(plaintext);
    return {
      type: 'poll_vote',
      target,
      hashes: selectedOptions.map((hash) => Buffer.from(hash).toString('hex')),
    };
  },
};

/** Polls and their votes. */
export const polls = { poll, poll_vote: pollVote };
