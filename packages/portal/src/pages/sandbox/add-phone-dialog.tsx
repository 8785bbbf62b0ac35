import { phoneDigits } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { Problem, useAction } from '../../api/index.ts';
import { words } from '../../texts/common.ts';
import { addPhoneTexts } from '../../texts/sandbox.ts';
import { Actions, Button, Dialog, ErrorNote, TextField, toast } from '../../ui/index.ts';
import { addPhone } from './network.ts';

export function AddPhoneDialog({ onAdded, onClose }: { onAdded: () => void; onClose: () => void }) {
  const phone = useSignal('');
  const name = useSignal('');
  const { run, busy, problem } = useAction(async () => {
    const digits = phoneDigits(phone.value.trim());
    if (digits === null) throw new Problem(400, addPhoneTexts.phoneWrong);
    await addPhone(digits, name.value);
    toast(addPhoneTexts.added(name.value));
    onAdded();
    onClose();
  });
  return (
    <Dialog title={addPhoneTexts.title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <TextField
          label={addPhoneTexts.phone}
          hint={addPhoneTexts.phoneHint}
          type="tel"
          autocomplete="off"
          required
          autofocus
          value={phone.value}
          onInput={(value) => (phone.value = value)}
        />
        <TextField
          label={addPhoneTexts.name}
          hint={addPhoneTexts.nameHint}
          autocomplete="off"
          required
          value={name.value}
          onInput={(value) => (name.value = value)}
        />
        {problem.value && <ErrorNote problem={problem.value} />}
        <Actions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" look="primary" busy={busy.value}>
            {addPhoneTexts.title}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
