import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { useAction } from '../../../api/index.ts';
import { inBackground } from '../../../kernel/background.ts';
import { chatTexts } from '../../../texts/sandbox.ts';
import { ErrorNote } from '../../../ui/index.ts';
import type { Handset } from '../handset.ts';
import type { Message, Poll } from '../network.ts';

/** Poll, answered by pressing an option. */
export function PollContent({ handset, message, poll }: { handset: Handset; message: Message; poll: Poll }) {
  const { detail, names, act } = handset;
  const name = useId();
  // Optimistic choice, until the network confirms it.
  const touched = useSignal<readonly string[] | undefined>(undefined);
  const voted = poll.votes.find(({ jid }) => names.addressOf(jid) === detail.jid)?.options ?? [];
  const mine = touched.value ?? voted;
  const isSingle = poll.selectable_count === 1;
  const { run, busy, problem } = useAction(async (options: readonly string[]) => {
    touched.value = options;
    try {
      await act('/votes', { poll_message_id: message.message_id, options });
    } finally {
      touched.value = undefined;
    }
  });
  const toggled = (option: string): readonly string[] => {
    if (mine.includes(option)) return mine.filter((each) => each !== option);
    return isSingle ? [option] : [...mine, option];
  };
  return (
    <fieldset class="bubble-poll" disabled={busy.value}>
      <legend>
        <strong>{poll.name}</strong>
        <span class="bubble-mark">{isSingle ? chatTexts.oneChoice : chatTexts.manyChoices}</span>
      </legend>
      {poll.options.map((option, index) => {
        const votes = poll.votes.filter(({ options }) => options.includes(option)).length;
        return (
          <div class="bubble-option" key={option}>
            <input
              type={isSingle ? 'radio' : 'checkbox'}
              id={`${name}-${index}`}
              name={name}
              checked={mine.includes(option)}
              onChange={() => inBackground(run(toggled(option)))}
            />
            <label for={`${name}-${index}`}>{option}</label>
            <span class="figures">
              <span aria-hidden="true">{votes}</span>
              <span class="unseen">{chatTexts.votes(votes)}</span>
            </span>
            <span class="bubble-share" aria-hidden="true">
              <span style={{ width: `${(votes / Math.max(1, poll.votes.length)) * 100}%` }} />
            </span>
          </div>
        );
      })}
      {problem.value && <ErrorNote problem={problem.value} />}
    </fieldset>
  );
}
