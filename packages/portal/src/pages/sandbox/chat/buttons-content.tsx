import { useAction } from '../../../api/index.ts';
import { inBackground } from '../../../kernel/background.ts';
import { chatTexts } from '../../../texts/sandbox.ts';
import { ErrorNote, Icon, type IconName, toast } from '../../../ui/index.ts';
import type { Handset } from '../handset.ts';
import type { Message, ReplyButton } from '../network.ts';

/** Text with buttons, each acting by its type. */
export function ButtonsContent({
  handset: { act },
  message,
  content,
}: {
  handset: Handset;
  message: Message;
  content: NonNullable<Message['interactive']>;
}) {
  const { run, busy, problem } = useAction((id: string) =>
    act('/button-presses', { message_id: message.message_id, id }),
  );
  const press = (id: string): void => inBackground(run(id));
  return (
    <>
      <p class="bubble-text">{content.body}</p>
      {content.footer && <p class="bubble-mark">{content.footer}</p>}
      <div class="bubble-buttons">
        {content.buttons.map((button) => (
          <OneButton key={button.display_text} button={button} busy={busy.value} onPress={press} />
        ))}
      </div>
      {problem.value && <ErrorNote problem={problem.value} />}
    </>
  );
}

const ICONS: Readonly<Record<ReplyButton['type'], IconName>> = {
  quick_reply: 'reply',
  cta_url: 'external',
  cta_copy: 'copy',
  cta_call: 'call',
  single_select: 'menu',
};

function OneButton({
  button,
  busy,
  onPress,
}: {
  button: ReplyButton;
  busy: boolean;
  onPress: (id: string) => void;
}) {
  const { type, display_text, id, url, copy_code, phone_number, sections = [] } = button;
  const face = (
    <>
      <Icon name={ICONS[type]} size={16} />
      {display_text}
    </>
  );
  switch (type) {
    case 'cta_url':
      return (
        <a class="bubble-button" href={url} target="_blank" rel="noreferrer">
          {face}
        </a>
      );
    case 'cta_call':
      return (
        <a class="bubble-button" href={`tel:${phone_number}`}>
          {face}
        </a>
      );
    case 'cta_copy':
      return (
        <button type="button" class="bubble-button" onClick={() => inBackground(copy(copy_code ?? ''))}>
          {face}
        </button>
      );
    case 'single_select':
      return (
        <details>
          <summary class="bubble-button">{face}</summary>
          {sections.map((section) => (
            <div class="bubble-section" key={section.title}>
              <p class="bubble-mark">{section.title}</p>
              {section.rows.map((row) => (
                <button
                  key={row.id}
                  type="button"
                  class="bubble-choice"
                  disabled={busy}
                  onClick={() => onPress(row.id)}
                >
                  {row.title}
                  {row.description && <span class="bubble-mark">{row.description}</span>}
                </button>
              ))}
            </div>
          ))}
        </details>
      );
    case 'quick_reply':
      return (
        <button type="button" class="bubble-button" disabled={busy} onClick={() => onPress(id ?? '')}>
          {face}
        </button>
      );
  }
}

async function copy(code: string): Promise<void> {
  await navigator.clipboard.writeText(code);
  toast(chatTexts.copied);
}
