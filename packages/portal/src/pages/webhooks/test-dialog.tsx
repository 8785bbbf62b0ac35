import { EVENT_CATEGORIES, type EventCategory, URL_FIELD_OF_CATEGORY, type Webhook } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useAction } from '../../api/index.ts';
import { words } from '../../texts/common.ts';
import { categoryTexts } from '../../texts/labels.ts';
import { webhookTexts } from '../../texts/webhooks.ts';
import { Actions, Button, Dialog, ErrorNote, Note, SelectField, toast } from '../../ui/index.ts';

/** Sends a sample to one of the addresses that are set. */
export function TestDialog({
  webhook,
  onSent,
  onClose,
}: {
  webhook: Webhook;
  onSent: () => void;
  onClose: () => void;
}) {
  const choices = EVENT_CATEGORIES.filter((category) => webhook[URL_FIELD_OF_CATEGORY[category]] !== '').map(
    (category) => ({
      value: category,
      label: `${categoryTexts[category].name}: ${webhook[URL_FIELD_OF_CATEGORY[category]]}`,
    }),
  );
  const category = useSignal<EventCategory | undefined>(choices[0]?.value);
  const { run, busy, problem } = useAction(async () => {
    await call('testMyWebhook', { params: { id: webhook.id }, body: { category: category.value } });
    toast(webhookTexts.testSent);
    onSent();
    onClose();
  });
  return (
    <Dialog title={webhookTexts.test} onClose={onClose}>
      <p class="quiet">{webhookTexts.testText}</p>
      {category.value === undefined ? (
        <Note tone="warning">{webhookTexts.noUrl}</Note>
      ) : (
        <SelectField
          label={webhookTexts.testTo}
          value={category.value}
          choices={choices}
          onChange={(chosen) => {
            category.value = chosen;
          }}
        />
      )}
      {problem.value && <ErrorNote problem={problem.value} />}
      <Actions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button
          look="primary"
          icon="send"
          busy={busy.value}
          disabled={category.value === undefined}
          onClick={() => void run()}
        >
          {webhookTexts.test}
        </Button>
      </Actions>
    </Dialog>
  );
}
