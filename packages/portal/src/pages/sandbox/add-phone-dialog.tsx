import { phoneDigits } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { Problem } from '../../api/index.ts';
import { words } from '../../texts/common.ts';
import { addPhoneTexts } from '../../texts/sandbox.ts';
import { FormDialog, TextField, toast } from '../../ui/index.ts';
import { addPhone } from './network.ts';

export function AddPhoneDialog({ onAdded, onClose }: { onAdded: () => void; onClose: () => void }) {
  const phone = useSignal('');
  const name = useSignal('');
  const submit = async () => {
    const digits = phoneDigits(phone.value.trim());
    if (digits === null) throw new Problem(400, words.phoneWrong);
    await addPhone(digits, name.value);
    toast(addPhoneTexts.added(name.value));
    onAdded();
  };
  return (
    <FormDialog title={addPhoneTexts.title} submit={addPhoneTexts.title} onSubmit={submit} onClose={onClose}>
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
    </FormDialog>
  );
}
