import type { Ground } from '../ground.ts';
import { type PhoneNumber, WorldError } from '../types.ts';
import type { Button, Content } from './content.ts';
import type { MessageRow, MessageTable } from './message-table.ts';
import { optionHash } from './polls.ts';
import type { Messages } from './types.ts';

interface AnswersNeeds {
  ground: Ground;
  table: MessageTable;
  send: Messages['send'];
  newId: Messages['newId'];
}

/** What a finger on the phone's screen does to a message that asks something. */
export function createAnswers({
  ground,
  table,
  send,
  newId,
}: AnswersNeeds): Pick<Messages, 'vote' | 'pressButton'> {
  const find = (phone: PhoneNumber, id: string): { row: MessageRow; content: Content } => {
    const shown = table.shownTo(phone, id);
    if (!shown) throw new WorldError('not_found', `phone ${phone} has no message ${id}`);
    return shown;
  };

  const answer = (phone: PhoneNumber, row: MessageRow, content: Content) =>
    send({ phone, device: 0 }, { id: newId(), to: table.view(phone, row).chat.jid, content });

  return {
    vote: (phone, pollId, options) =>
      ground.act(() => {
        const { row } = find(phone, pollId);
        return answer(phone, row, { type: 'poll_vote', target: pollId, hashes: options.map(optionHash) });
      }),
    pressButton: (phone, messageId, buttonId) =>
      ground.act(() => {
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

/** Buttons that open, copy or dial something answer nobody. */
function choicesOf(button: Button): { id: string; text: string }[] {
  if (button.type === 'quick_reply') return [{ id: button.id, text: button.text }];
  if (button.type !== 'single_select') return [];
  return button.sections.flatMap(({ rows }) => rows.map(({ id, title }) => ({ id, text: title })));
}
