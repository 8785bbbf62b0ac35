import type { Webhook } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { call, useAction } from '../../api/index.ts';
import { webhookTexts } from '../../texts/webhooks.ts';
import { Button, ConfirmDialog, ErrorNote, toast } from '../../ui/index.ts';
import { SecretShown } from './secret-shown.tsx';
import { TestDialog } from './test-dialog.tsx';

/** What can be done with a webhook as a whole. */
export function WebhookActions({
  webhook,
  onChanged,
  onSent,
}: {
  webhook: Webhook;
  onChanged: (webhook: Webhook) => void;
  onSent: () => void;
}) {
  const { route } = useLocation();
  const params = { id: webhook.id };
  const open = useSignal<'test' | 'rotate' | 'remove' | undefined>(undefined);
  const secret = useSignal<string | undefined>(undefined);
  const close = (): void => {
    open.value = undefined;
  };
  const toggle = useAction(async () => {
    const changed = await call('updateMyWebhook', { params, body: { active: !webhook.active } });
    onChanged(changed);
    toast(changed.active ? webhookTexts.nowActive : webhookTexts.nowPaused);
  });
  const opens = (what: typeof open.value) => () => {
    open.value = what;
  };
  return (
    <>
      <Button look="primary" icon="send" onClick={opens('test')}>
        {webhookTexts.test}
      </Button>
      <Button busy={toggle.busy.value} onClick={() => void toggle.run()}>
        {webhook.active ? webhookTexts.pause : webhookTexts.resume}
      </Button>
      <Button icon="refresh" onClick={opens('rotate')}>
        {webhookTexts.rotate}
      </Button>
      <Button look="danger" onClick={opens('remove')}>
        {webhookTexts.remove}
      </Button>
      {toggle.problem.value && <ErrorNote problem={toggle.problem.value} />}
      {open.value === 'test' && <TestDialog webhook={webhook} onSent={onSent} onClose={close} />}
      {open.value === 'rotate' && (
        <ConfirmDialog
          title={webhookTexts.rotateTitle}
          text={webhookTexts.rotateText}
          confirm={webhookTexts.rotate}
          look="primary"
          onConfirm={async () => {
            secret.value = (await call('rotateMyWebhookSecret', { params })).secret;
          }}
          onClose={close}
        />
      )}
      {open.value === 'remove' && (
        <ConfirmDialog
          title={webhookTexts.removeTitle}
          text={webhookTexts.removeText}
          confirm={webhookTexts.remove}
          onConfirm={async () => {
            await call('deleteMyWebhook', { params });
            toast(webhookTexts.removed);
            route('/portal/webhooks');
          }}
          onClose={close}
        />
      )}
      {secret.value !== undefined && (
        <SecretShown
          title={webhookTexts.rotatedTitle}
          secret={secret.value}
          onClose={() => {
            secret.value = undefined;
          }}
        />
      )}
    </>
  );
}
