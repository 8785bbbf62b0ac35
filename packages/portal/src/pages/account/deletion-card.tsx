import { useSignal } from '@preact/signals';
import { call } from '../../api/index.ts';
import { loadVisit, me } from '../../state/visit.ts';
import { deletionTexts } from '../../texts/account.ts';
import { Button, Card, CheckField, FormDialog, TextField, toast } from '../../ui/index.ts';

/** Schedules the deletion. It can be canceled above every page until it begins. */
export function DeletionCard() {
  const asks = useSignal(false);
  return (
    <Card
      title={deletionTexts.title}
      actions={
        !me.value?.deletion && (
          <Button small look="danger" onClick={() => (asks.value = true)}>
            {deletionTexts.ask}
          </Button>
        )
      }
    >
      <p>{deletionTexts.text}</p>
      {asks.value && <DeletionDialog onClose={() => (asks.value = false)} />}
    </Card>
  );
}

function DeletionDialog({ onClose }: { onClose: () => void }) {
  const password = useSignal('');
  const understood = useSignal(false);
  return (
    <FormDialog
      title={deletionTexts.confirmTitle}
      submit={deletionTexts.ask}
      look="danger"
      disabled={!understood.value || password.value === ''}
      lead={<p>{deletionTexts.text}</p>}
      onSubmit={async () => {
        await call('deleteMyAccount', { body: { password: password.value } });
        toast(deletionTexts.asked);
        await loadVisit();
      }}
      onClose={onClose}
    >
      <TextField
        label={deletionTexts.password}
        type="password"
        autocomplete="current-password"
        value={password.value}
        onInput={(value) => (password.value = value)}
      />
      <CheckField
        label={deletionTexts.understood}
        checked={understood.value}
        onChange={(checked) => (understood.value = checked)}
      />
    </FormDialog>
  );
}
