import type { ApiKeyCreated, ApiKeyUse } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useResource, wholeList } from '../../api/index.ts';
import { keysTexts, overlapChoices } from '../../texts/keys.ts';
import { FormDialog, SelectField, toast } from '../../ui/index.ts';
import { ShownKey } from './create-dialog.tsx';

type Overlap = (typeof overlapChoices)[number]['value'];

/** Replaces a key; the old one keeps working for a while. */
export function RollDialog({
  apiKey: { key_id, name },
  onRolled,
  onClose,
}: {
  apiKey: ApiKeyUse;
  onRolled: () => void;
  onClose: () => void;
}) {
  const overlap = useSignal<Overlap>('24');
  const rolled = useSignal<ApiKeyCreated | undefined>(undefined);
  const numbers = useResource(() => wholeList((page) => call('listNumbers', { query: page })), []);
  if (rolled.value) {
    return <ShownKey created={rolled.value} numbers={numbers.data?.numbers ?? []} onClose={onClose} />;
  }
  return (
    <FormDialog
      title={keysTexts.rollTitle(name)}
      submit={keysTexts.roll}
      lead={<p class="quiet">{keysTexts.rollText}</p>}
      onSubmit={async () => {
        const body = { overlap_hours: Number(overlap.value) };
        rolled.value = await call('rollMyApiKey', { params: { key_id }, body });
        toast(overlap.value === '0' ? keysTexts.revokedAtOnce : keysTexts.rolled);
        onRolled();
      }}
      onClose={() => {
        // The form closes after success; the new key must be shown first.
        if (!rolled.value) onClose();
      }}
    >
      <SelectField
        label={keysTexts.overlap}
        value={overlap.value}
        choices={overlapChoices}
        onChange={(value) => {
          overlap.value = value;
        }}
      />
    </FormDialog>
  );
}
