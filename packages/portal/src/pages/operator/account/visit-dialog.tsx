import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { call } from '../../../api/index.ts';
import { loadVisit } from '../../../state/visit.ts';
import { visitTexts } from '../../../texts/account.ts';
import { FormDialog, TextField } from '../../../ui/index.ts';

/** Opens the portal as the account sees it. The operator enters a name, which the owners see in their log. */
export function VisitDialog({ accountId, onClose }: { accountId: string; onClose: () => void }) {
  const { route } = useLocation();
  const name = useSignal('');
  const reason = useSignal('');
  return (
    <FormDialog
      title={visitTexts.title}
      submit={visitTexts.look}
      disabled={name.value.trim() === ''}
      lead={<p>{visitTexts.text}</p>}
      onSubmit={async () => {
        const body = { name: name.value, ...(reason.value !== '' && { reason: reason.value }) };
        await call('visitAccount', { params: { account_id: accountId }, body });
        await loadVisit();
        route('/portal/numbers');
      }}
      onClose={onClose}
    >
      <TextField
        label={visitTexts.name}
        name="name"
        autofocus
        value={name.value}
        onInput={(value) => (name.value = value)}
      />
      <TextField
        label={visitTexts.reason}
        name="reason"
        hint={visitTexts.reasonHint}
        value={reason.value}
        onInput={(value) => (reason.value = value)}
      />
    </FormDialog>
  );
}
