import { useSignal } from '@preact/signals';
import { useAction } from '../../../api/index.ts';
import { inBackground } from '../../../kernel/background.ts';
import { words } from '../../../texts/common.ts';
import { pollTexts } from '../../../texts/sandbox.ts';
import { Actions, Button, CheckField, Dialog, ErrorNote, TextField } from '../../../ui/index.ts';

export function PollDialog({
  onSend,
  onClose,
}: {
  onSend: (poll: object) => Promise<void>;
  onClose: () => void;
}) {
  const question = useSignal('');
  const options = useSignal('');
  const isSingle = useSignal(true);
  const { run, busy, problem } = useAction(async () => {
    const poll_options = options.value
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    const poll_selectable_count = isSingle.value ? 1 : 0;
    await onSend({ type: 'poll', poll_name: question.value, poll_options, poll_selectable_count });
    onClose();
  });
  return (
    <Dialog title={pollTexts.title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          inBackground(run());
        }}
      >
        <TextField
          label={pollTexts.question}
          required
          autofocus
          value={question.value}
          onInput={(value) => (question.value = value)}
        />
        <TextField
          label={pollTexts.options}
          hint={pollTexts.optionsHint}
          rows={4}
          required
          value={options.value}
          onInput={(value) => (options.value = value)}
        />
        <CheckField
          label={pollTexts.single}
          checked={isSingle.value}
          onChange={(checked) => (isSingle.value = checked)}
        />
        {problem.value && <ErrorNote problem={problem.value} />}
        <Actions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" look="primary" busy={busy.value}>
            {pollTexts.send}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
