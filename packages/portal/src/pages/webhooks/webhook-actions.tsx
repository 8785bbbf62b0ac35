import type { Webhook } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { call, useAction } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { webhookTexts } from '../../texts/webhooks.ts';
import { Button, ConfirmDialog, ErrorNote, toast } from '../../ui/index.ts';
import { PauseDialog } from './pause-dialog.tsx';
import { SecretShown } from './secret-shown.tsx';
import { TestDialog } from './test-dialog.tsx';

/** Actions on a whole webhook. */
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
  const open = useSignal<'test' | 'pause' | 'rotate' | 'remove' | undefined>(undefined);
  const secret = useSignal<string | undefined>(undefined);
  const close = (): void => {
    open.value = undefined;
  };
  const resume = useAction(async () => {
    onChanged(await call('updateMyWebhook', { params, body: { active: true, paused: false } }));
    toast(webhookTexts.nowActive);
  });
  const opens = (what: typeof open.value) => () => {
    open.value = what;
  };
  return (
    <>
      <Button look="primary" icon="send" onClick={opens('test')}>
        {webhookTexts.test}
      </Button>
      {webhook.active && !webhook.paused ? (
        <Button onClick={opens('pause')}>{webhookTexts.pause}</Button>
      ) : (
        <Button busy={resume.busy.value} onClick={() => inBackground(resume.run())}>
          {webhook.active ? webhookTexts.resume : webhookTexts.switchOn}
        </Button>
      )}
      <Button icon="refresh" onClick={opens('rotate')}>
        {webhookTexts.rotate}
      </Button>
      <Button look="danger" onClick={opens('remove')}>
        {webhookTexts.remove}
      </Button>
      {resume.problem.value && <ErrorNote problem={resume.problem.value} />}
      {open.value === 'test' && <TestDialog webhook={webhook} onSent={onSent} onClose={close} />}
      {open.value === 'pause' && <PauseDialog webhook={webhook} onChanged={onChanged} onClose={close} />}
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
