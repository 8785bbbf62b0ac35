import type { PartnerLimits } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useAction } from '../../api/index.ts';
import { words } from '../../texts/common.ts';
import { accountTexts } from '../../texts/operator.ts';
import { Actions, Button, Dialog, ErrorNote, TextField } from '../../ui/index.ts';

/** What was negotiated with a partner, for each of their numbers. */
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
  const { run, busy, problem } = useAction(async () => {
    await onSave({ per_minute: Number(perMinute.value), per_period: Number(perPeriod.value) });
    onClose();
  });
  return (
    <Dialog title={accountTexts.setPartner} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <TextField
          label={accountTexts.perMinute}
          type="number"
          min="1"
          required
          autofocus
          value={perMinute.value}
          onInput={(value) => (perMinute.value = value)}
        />
        <TextField
          label={accountTexts.perPeriod}
          type="number"
          min="1"
          required
          value={perPeriod.value}
          onInput={(value) => (perPeriod.value = value)}
        />
        {problem.value && <ErrorNote problem={problem.value} />}
        <Actions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" look="primary" busy={busy.value}>
            {words.save}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
