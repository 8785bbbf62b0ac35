import { EVENT_CATEGORIES, URL_FIELD_OF_CATEGORY, type Webhook } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useAction } from '../../api/index.ts';
import { words } from '../../texts/common.ts';
import { webhookTexts } from '../../texts/webhooks.ts';
import { Actions, Button, Card, ErrorNote, toast } from '../../ui/index.ts';
import { UrlFields, type Urls } from './url-fields.tsx';

export function UrlsCard({
  webhook,
  onChanged,
}: {
  webhook: Webhook;
  onChanged: (webhook: Webhook) => void;
}) {
  const urls = useSignal<Urls>(webhook);
  const isChanged = EVENT_CATEGORIES.some((category) => {
    const field = URL_FIELD_OF_CATEGORY[category];
    return urls.value[field] !== webhook[field];
  });
  const { run, busy, problem } = useAction(async () => {
    const { messages_url, status_url, connection_url, events_url } = urls.value;
    const body = { messages_url, status_url, connection_url, events_url };
    onChanged(await call('updateMyWebhook', { params: { id: webhook.id }, body }));
    toast(webhookTexts.saved);
  });
  return (
    <Card title={webhookTexts.urls}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <div class="urls">
          <UrlFields
            urls={urls.value}
            onChange={(next) => {
              urls.value = next;
            }}
          />
        </div>
        {problem.value && <ErrorNote problem={problem.value} />}
        <Actions>
          <Button type="submit" look="primary" busy={busy.value} disabled={!isChanged}>
            {words.save}
          </Button>
        </Actions>
      </form>
    </Card>
  );
}
