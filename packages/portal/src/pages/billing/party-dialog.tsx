import type { Party } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { billingTexts } from '../../texts/billing.ts';
import { words } from '../../texts/common.ts';
import { FormDialog, TextField, toast } from '../../ui/index.ts';

/** Form for the seller or the buyer on invoices. */
export function PartyDialog({
  title,
  party,
  onSave,
  onClose,
}: {
  title: string;
  party: Party;
  onSave: (party: Party) => Promise<void>;
  onClose: () => void;
}) {
  const edited = useSignal(party);
  const change = (field: keyof Party) => (value: string) =>
    (edited.value = { ...edited.value, [field]: value });
  return (
    <FormDialog
      title={title}
      submit={words.save}
      lead={<p class="quiet">{billingTexts.addressText}</p>}
      onSubmit={async () => {
        await onSave(edited.value);
        toast(billingTexts.addressDone);
      }}
      onClose={onClose}
    >
      <TextField
        label={billingTexts.name}
        name="name"
        required
        autofocus
        maxLength={200}
        value={edited.value.name}
        onInput={change('name')}
      />
      <TextField
        label={billingTexts.street}
        name="address"
        rows={3}
        maxLength={1_000}
        value={edited.value.address}
        onInput={change('address')}
      />
      <TextField
        label={billingTexts.taxId}
        name="tax_id"
        optional
        maxLength={64}
        value={edited.value.tax_id}
        onInput={change('tax_id')}
      />
      <TextField
        label={billingTexts.email}
        name="email"
        type="email"
        optional
        maxLength={200}
        value={edited.value.email}
        onInput={change('email')}
      />
    </FormDialog>
  );
}
