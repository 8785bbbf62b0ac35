import type { KeptMessage } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { chatTexts } from '../../texts/chats.ts';
import { personOf } from '../../texts/events.ts';
import { formatMoment, formatTime, Icon } from '../../ui/index.ts';
import { sameOrigin, summarizeMessage } from './message-summary.ts';

export function Message({ message }: { message: KeptMessage }) {
  const { from_me, sender_name, sender_jid, text, media, timestamp_unix, revoked_at_unix } = message;
  const isGone = revoked_at_unix !== undefined;
  const words = isGone || (text === '' && !media) ? summarizeMessage(message) : text;
  const reactions = message.reactions?.map(({ emoji }) => emoji).join(' ');
  return (
    <li class={from_me ? 'chats-message chats-own' : 'chats-message'}>
      <span class="chats-sender small">{from_me ? chatTexts.you : sender_name || personOf(sender_jid)}</span>
      {message.quoted_text && <blockquote class="chats-quote small">{message.quoted_text}</blockquote>}
      {media && !isGone && <File media={media} />}
      {words !== '' && <p class={isGone ? 'quiet' : undefined}>{words}</p>}
      {reactions && <span>{reactions}</span>}
      <span class="quiet small figures" title={formatTime(timestamp_unix)}>
        {[
          formatMoment(timestamp_unix),
          message.edited_at_unix !== undefined && chatTexts.edited,
          message.status && chatTexts.states[message.status],
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </li>
  );
}

/** Shows images; offers other files for download. */
function File({ media }: { media: NonNullable<KeptMessage['media']> }) {
  const isMissing = useSignal(media.url === undefined);
  const name = media.filename ?? chatTexts.file(media.extension);
  if (isMissing.value || media.url === undefined) {
    return (
      <span class="chats-file quiet">
        <Icon name="attach" size={16} />
        {name}: {chatTexts.fileGone}
      </span>
    );
  }
  const address = sameOrigin(media.url);
  if (/^image\/(?:png|jpeg|gif|webp)$/.test(media.mimetype)) {
    return (
      <a href={address} target="_blank" rel="noreferrer">
        <img
          class="chats-picture"
          src={address}
          alt={name}
          loading="lazy"
          onError={() => {
            isMissing.value = true;
          }}
        />
      </a>
    );
  }
  return (
    <a class="chats-file" href={address} download>
      <Icon name="attach" size={16} />
      {name}
    </a>
  );
}
