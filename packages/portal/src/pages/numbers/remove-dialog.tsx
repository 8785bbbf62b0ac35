import type { PortalNumber } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { call, useResource, wholeList } from '../../api/index.ts';
import { removeTexts } from '../../texts/numbers.ts';
import { CheckField, FormDialog, formatPhone, Loaded, toast } from '../../ui/index.ts';

/** Lists what is removed with the number, and asks for confirmation twice. */
export function RemoveDialog({ number, onClose }: { number: PortalNumber; onClose: () => void }) {
  const { route } = useLocation();
  const understood = useSignal(false);
  const consequences = useResource(() => consequencesOf(number), [number.phone]);
  return (
    <FormDialog
      title={removeTexts.title(formatPhone(number.phone))}
      submit={removeTexts.remove}
      look="danger"
      disabled={!understood.value || !consequences.data}
      lead={
        <Loaded resource={consequences}>
          {(lines) => (
            <ul>
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          )}
        </Loaded>
      }
      onSubmit={async () => {
        await call('removeNumber', { params: { phone: number.phone } });
        toast(removeTexts.removed(formatPhone(number.phone)));
        route('/portal/numbers');
      }}
      onClose={onClose}
    >
      <CheckField
        label={removeTexts.understood}
        checked={understood.value}
        onChange={(checked) => (understood.value = checked)}
      />
    </FormDialog>
  );
}

async function consequencesOf({ phone, session, sending }: PortalNumber): Promise<string[]> {
  const [{ webhooks }, { api_keys: keys }] = await Promise.all([
    call('listMyWebhooks'),
    wholeList((page) => call('listMyApiKeys', { query: page })),
  ]);
  const own = keys.filter((key) => key.phone === phone && key.status === 'active').length;
  return [
    ...(session ? [removeTexts.session(session.session_id)] : []),
    sending.queued > 0 ? removeTexts.queued(sending.queued) : removeTexts.nothingQueued,
    ...(webhooks.some((webhook) => webhook.phone === phone) ? [removeTexts.webhook] : []),
    ...(own > 0 ? [removeTexts.keys(own)] : []),
    removeTexts.kept,
    removeTexts.free,
  ];
}
