import { type PhoneNumber, WorldError } from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import type { Button, Content } from './content.ts';
import type { MessageRow, MessageTable } from './message-table.ts';
import { optionHash } from './polls.ts';
import type { Messages } from './types.ts';

interface ButtonAnswersNeeds {
  context: WorldContext;
  table: MessageTable;
  send: Messages['send'];
  newId: Messages['newId'];
}

/** Presses on buttons and choices in lists on a phone's screen. */
export function createButtonAnswers({
  context,
  table,
  send,
  newId,
}: ButtonAnswersNeeds): Pick<Messages, 'vote' | 'pressButton'> {
  const find = (phone: PhoneNumber, id: string): { row: MessageRow; content: Content } => {
    const shown = table.shownTo(phone, id);
    if (!shown) throw new WorldError('not_found', `phone ${phone} has no message ${id}`);
    return shown;
  };

  const answer = (phone: PhoneNumber, row: MessageRow, content: Content) =>
    send({ phone, device: 0 }, { id: newId(), to: table.view(phone, row).chat.jid, content });

  return {
    vote: (phone, pollId, options) =>
      context.act(() => {
        const { row } = find(phone, pollId);
        return answer(phone, row, { type: 'poll_vote', target: pollId, hashes: options.map(optionHash) });
      }),
    pressButton: (phone, messageId, buttonId) =>
      context.act(() => {
        const { row, content } = find(phone, messageId);
        const choice =
          content.type === 'interactive'
            ? content.buttons.flatMap(choicesOf).find(({ id }) => id === buttonId)
            : undefined;
        if (!choice) throw new WorldError('not_found', `message ${messageId} has no button ${buttonId}`);
        return answer(phone, row, {
          type: 'button_response',
          target: messageId,
          id: choice.id,
          text: choice.text,
          paramsJson: JSON.stringify({ id: choice.id }),
        });
      }),
  };
}

/** Buttons that open, copy or dial send no answer. */
function choicesOf(button: Button): { id: string; text: string }[] {
  if (button.type === 'quick_reply') return [{ id: button.id, text: button.text }];
  if (button.type !== 'single_select') return [];
  return button.sections.flatMap(({ rows }) => rows.map(({ id, title }) => ({ id, text: title })));
}
