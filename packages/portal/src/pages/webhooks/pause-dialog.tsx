import type { Webhook } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/index.ts';
import { webhookTexts } from '../../texts/webhooks.ts';
import { CheckField, FormDialog, SelectField, toast } from '../../ui/index.ts';

const CHOICES = [
  { value: 'keep', label: webhookTexts.keep },
  { value: 'discard', label: webhookTexts.discard },
] as const;

/** Pauses a webhook, keeping or discarding events meanwhile. */
export function PauseDialog({
  webhook,
  onChanged,
  onClose,
}: {
  webhook: Webhook;
  onChanged: (webhook: Webhook) => void;
  onClose: () => void;
}) {
  const what = useSignal<'keep' | 'discard'>('keep');
  const isSure = useSignal(false);
  const discards = what.value === 'discard';
  return (
    <FormDialog
      title={webhookTexts.pauseTitle}
      submit={discards ? webhookTexts.switchOff : webhookTexts.pause}
      look={discards ? 'danger' : 'primary'}
      disabled={discards && !isSure.value}
      onSubmit={async () => {
        const body = discards ? { active: false } : { paused: true };
        onChanged(await call('updateMyWebhook', { params: { id: webhook.id }, body }));
        toast(discards ? webhookTexts.nowOff : webhookTexts.nowPaused);
      }}
      onClose={onClose}
    >
      <SelectField
        label={webhookTexts.pauseWhat}
        value={what.value}
        choices={CHOICES}
        onChange={(chosen) => {
          what.value = chosen;
        }}
      />
      {discards && (
        <CheckField
          label={webhookTexts.discardSure}
          checked={isSure.value}
          onChange={(checked) => {
            isSure.value = checked;
          }}
        />
      )}
    </FormDialog>
  );
}
