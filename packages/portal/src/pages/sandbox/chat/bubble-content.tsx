import { useAction, useResource } from '../../../api/index.ts';
import { inBackground } from '../../../kernel/background.ts';
import { chatTexts } from '../../../texts/sandbox.ts';
import { Button, ErrorNote, formatNumber, Icon, type IconName, Skeleton } from '../../../ui/index.ts';
import { previewOf } from '../chats.ts';
import type { Handset } from '../handset.ts';
import { fileOf, type Media, type Message } from '../network.ts';
import { ButtonsContent } from './buttons-content.tsx';
import { PollContent } from './poll-content.tsx';

const PICTURES: ReadonlySet<string> = new Set(['image', 'sticker']);

/** Content of a message by its type. */
export function BubbleContent({ handset, message }: { handset: Handset; message: Message }) {
  const { type, text, media, location, contact, poll, interactive, group_invite } = message;
  if (poll) return <PollContent handset={handset} message={message} poll={poll} />;
  if (interactive) return <ButtonsContent handset={handset} message={message} content={interactive} />;
  return (
    <>
      {media && (PICTURES.has(type) ? <Picture type={type} media={media} /> : <File message={message} />)}
      {location && (
        <Panel icon="pin" title={location.name || chatTexts.location}>
          {location.address || `${location.latitude}, ${location.longitude}`}
        </Panel>
      )}
      {contact && (
        <Panel icon="user" title={contact.display_name}>
          {chatTexts.contact}
        </Panel>
      )}
      {group_invite && (
        <Panel icon="people" title={group_invite.name}>
          {chatTexts.invite}
        </Panel>
      )}
      {text && <p class="bubble-text">{text}</p>}
    </>
  );
}

function Panel({ icon, title, children }: { icon: IconName; title: string; children: string }) {
  return (
    <div class="bubble-panel">
      <Icon name={icon} size={22} />
      <div>
        <strong>{title}</strong>
        <p>{children}</p>
      </div>
    </div>
  );
}

function Picture({ type, media }: { type: string; media: Media }) {
  const file = useResource(() => fileOf(media), [media.sha256]);
  if (file.problem) return <ErrorNote problem={file.problem} retry={() => inBackground(file.reload())} />;
  if (file.data === undefined) return <Skeleton tall lines={1} />;
  const alt = type === 'sticker' ? chatTexts.sticker : chatTexts.image;
  return <img class={type === 'sticker' ? 'bubble-sticker' : 'bubble-image'} src={file.data} alt={alt} />;
}

/** Download link: the pages' content security policy allows images only. */
function File({ message }: { message: Message }) {
  const { media, type } = message;
  const { run, busy, problem } = useAction(async () => {
    if (!media) return;
    const link = document.createElement('a');
    link.href = await fileOf(media);
    link.download = media.filename ?? `${type}.${media.mimetype.split(/[/;]/)[1]}`;
    link.click();
  });
  return (
    <div class="bubble-panel">
      <Icon name="document" size={22} />
      <div>
        <strong>{media?.filename ?? previewOf({ ...message, text: '' })}</strong>
        <p>
          {media?.mimetype} · {formatNumber(Math.ceil((media?.file_length ?? 0) / 1024))} KB
        </p>
        {problem.value && <ErrorNote problem={problem.value} />}
      </div>
      <Button small busy={busy.value} onClick={() => inBackground(run())}>
        {chatTexts.save}
      </Button>
    </div>
  );
}
