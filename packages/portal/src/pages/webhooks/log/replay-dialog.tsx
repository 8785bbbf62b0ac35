import type { DeliveryReplay } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../../api/index.ts';
import { timeRange } from '../../../kernel/time-range.ts';
import { replayTexts } from '../../../texts/deliveries.ts';
import { FormDialog, SelectField, TextField } from '../../../ui/index.ts';

const CHOICES = [
  { value: 'dead', label: replayTexts.dead },
  { value: 'all', label: replayTexts.all },
] as const;

/** Queues all dead letters, or all deliveries of a time range, again. */
export function ReplayDialog({
  webhookId,
  onStarted,
  onClose,
}: {
  webhookId: string;
  onStarted: (replay: DeliveryReplay) => void;
  onClose: () => void;
}) {
  const what = useSignal<'dead' | 'all'>('dead');
  const from = useSignal('');
  const to = useSignal('');
  return (
    <FormDialog
      title={replayTexts.title}
      submit={replayTexts.start}
      lead={<p class="quiet">{replayTexts.text}</p>}
      onSubmit={async () => {
        const body = { what: what.value, ...timeRange(from.value, to.value) };
        onStarted(await call('replayDeliveries', { params: { id: webhookId }, body }));
      }}
      onClose={onClose}
    >
      <SelectField
        label={replayTexts.what}
        value={what.value}
        choices={CHOICES}
        onChange={(chosen) => {
          what.value = chosen;
        }}
      />
      <TextField
        label={replayTexts.from}
        type="datetime-local"
        optional
        value={from.value}
        onInput={(value) => {
          from.value = value;
        }}
      />
      <TextField
        label={replayTexts.to}
        type="datetime-local"
        optional
        value={to.value}
        onInput={(value) => {
          to.value = value;
        }}
      />
    </FormDialog>
  );
}
