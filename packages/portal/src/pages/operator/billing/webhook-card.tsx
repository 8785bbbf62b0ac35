import type { Billing } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../../api/index.ts';
import { words } from '../../../texts/common.ts';
import { operatorBillingTexts as texts } from '../../../texts/operator-billing.ts';
import {
  Actions,
  Button,
  Card,
  ConfirmDialog,
  Dialog,
  FormDialog,
  Note,
  SecretPanel,
  TextField,
} from '../../../ui/index.ts';

export function WebhookCard({ webhook, onChanged }: { webhook: Billing['webhook']; onChanged: () => void }) {
  const asks = useSignal<'set' | 'remove' | undefined>(undefined);
  const secret = useSignal<string | undefined>(undefined);
  return (
    <Card
      title={texts.webhook}
      actions={
        <>
          {webhook && (
            <Button small look="danger" onClick={() => (asks.value = 'remove')}>
              {texts.webhookRemove}
            </Button>
          )}
          <Button small onClick={() => (asks.value = 'set')}>
            {webhook ? texts.webhookReplace : texts.webhookSet}
          </Button>
        </>
      }
    >
      <p class="quiet">{texts.webhookText}</p>
      {webhook && (
        <p>
          <code>{webhook.url}</code> {texts.webhookWaiting(webhook.waiting)}
        </p>
      )}
      {webhook?.last_error && (
        <Note tone="warning" icon="warning">
          {texts.webhookError(webhook.last_error)}
        </Note>
      )}
      {asks.value === 'set' && (
        <UrlDialog
          onSet={(made) => {
            secret.value = made;
            onChanged();
          }}
          onClose={() => (asks.value = undefined)}
        />
      )}
      {asks.value === 'remove' && (
        <ConfirmDialog
          title={texts.webhookRemoveTitle}
          text={texts.webhookRemoveText}
          confirm={texts.webhookRemove}
          onConfirm={async () => {
            await call('removeBillingWebhook');
            onChanged();
          }}
          onClose={() => (asks.value = undefined)}
        />
      )}
      {secret.value !== undefined && (
        <Dialog title={texts.secretTitle} keeps onClose={() => (secret.value = undefined)}>
          <SecretPanel title={texts.secretTitle} secret={secret.value} />
          <Actions>
            <Button look="primary" onClick={() => (secret.value = undefined)}>
              {words.copiedIt}
            </Button>
          </Actions>
        </Dialog>
      )}
    </Card>
  );
}

function UrlDialog({ onSet, onClose }: { onSet: (secret: string) => void; onClose: () => void }) {
  const url = useSignal('');
  return (
    <FormDialog
      title={texts.webhookSet}
      submit={words.save}
      onSubmit={async () => {
        const { secret } = await call('setBillingWebhook', { body: { url: url.value.trim() } });
        onSet(secret);
      }}
      onClose={onClose}
    >
      <TextField
        label={texts.webhookUrl}
        name="url"
        type="url"
        placeholder="https://"
        required
        autofocus
        value={url.value}
        onInput={(value) => (url.value = value)}
      />
    </FormDialog>
  );
}
