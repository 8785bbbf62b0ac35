import type { PartnerLimits } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { words } from '../../../texts/common.ts';
import { accountTexts } from '../../../texts/operator.ts';
import { FormDialog, TextField } from '../../../ui/index.ts';

/** Negotiated limits for each number of a partner. */
export function PartnerDialog({
  limits,
  onSave,
  onClose,
}: {
  limits: PartnerLimits | null;
  onSave: (limits: PartnerLimits) => Promise<void>;
  onClose: () => void;
}) {
  const perMinute = useSignal(String(limits?.per_minute ?? ''));
  const perPeriod = useSignal(String(limits?.per_period ?? ''));
  const submit = async () => {
    await onSave({ per_minute: Number(perMinute.value), per_period: Number(perPeriod.value) });
  };
  return (
    <FormDialog title={accountTexts.setPartner} submit={words.save} onSubmit={submit} onClose={onClose}>
      <TextField
        label={accountTexts.perMinute}
        name="partner_limits.per_minute"
        type="number"
        min="1"
        required
        autofocus
        value={perMinute.value}
        onInput={(value) => (perMinute.value = value)}
      />
      <TextField
        label={accountTexts.perPeriod}
        name="partner_limits.per_period"
        type="number"
        min="1"
        required
        value={perPeriod.value}
        onInput={(value) => (perPeriod.value = value)}
      />
    </FormDialog>
  );
}
