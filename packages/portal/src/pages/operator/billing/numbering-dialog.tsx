import type { Billing } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../../api/index.ts';
import { words } from '../../../texts/common.ts';
import { operatorBillingTexts as texts } from '../../../texts/operator-billing.ts';
import { FormDialog, TextField, toast } from '../../../ui/index.ts';

export function NumberingDialog({
  billing,
  onChanged,
  onClose,
}: {
  billing: Billing;
  onChanged: (billing: Billing) => void;
  onClose: () => void;
}) {
  const prefix = useSignal(billing.number_prefix);
  const due = useSignal(String(billing.due_days));
  const note = useSignal(billing.note);
  return (
    <FormDialog
      title={texts.numbering}
      submit={words.save}
      onSubmit={async () => {
        const body = { number_prefix: prefix.value, due_days: Number(due.value), note: note.value };
        onChanged(await call('updateBilling', { body }));
        toast(texts.saved);
      }}
      onClose={onClose}
    >
      <TextField
        label={texts.prefix}
        name="number_prefix"
        hint={texts.prefixHint}
        autofocus
        maxLength={20}
        value={prefix.value}
        onInput={(value) => (prefix.value = value)}
      />
      <TextField
        label={texts.due}
        name="due_days"
        type="number"
        min="0"
        max="365"
        required
        value={due.value}
        onInput={(value) => (due.value = value)}
      />
      <TextField
        label={texts.note}
        name="note"
        hint={texts.noteHint}
        rows={3}
        maxLength={1_000}
        value={note.value}
        onInput={(value) => (note.value = value)}
      />
    </FormDialog>
  );
}
