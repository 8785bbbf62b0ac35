import type { Webhook } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useAction } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { words } from '../../texts/common.ts';
import { webhookTexts } from '../../texts/webhooks.ts';
import { Actions, Button, Card, ErrorNote, Note, toast } from '../../ui/index.ts';
import { type Endpoint, EndpointFields, isAboutField, missingIn } from './endpoint-fields.tsx';

export function UrlsCard({
  webhook,
  onChanged,
}: {
  webhook: Webhook;
  onChanged: (webhook: Webhook) => void;
}) {
  const before = endpointOf(webhook);
  const endpoint = useSignal<Endpoint>(before);
  const isChanged = JSON.stringify(endpoint.value) !== JSON.stringify(before);
  const isMissing = missingIn(endpoint.value);
  const { run, busy, problem } = useAction(async () => {
    const { urls, extensions } = endpoint.value;
    const body = { ...urls, extensions: [...extensions] };
    const changed = await call('updateMyWebhook', { params: { id: webhook.id }, body });
    endpoint.value = endpointOf(changed);
    onChanged(changed);
    toast(webhookTexts.saved);
  });
  return (
    <Card title={webhookTexts.urls}>
      <form
        class="stack"
        // The gateway validates; the browser's messages would differ from its own.
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          inBackground(run());
        }}
      >
        <EndpointFields
          endpoint={endpoint.value}
          problem={problem.value}
          onChange={(next) => {
            endpoint.value = next;
          }}
        />
        {isMissing && <Note tone="warning">{webhookTexts.urlMissing}</Note>}
        {problem.value && !isAboutField(problem.value) && <ErrorNote problem={problem.value} />}
        <Actions>
          <Button type="submit" look="primary" busy={busy.value} disabled={!isChanged || isMissing}>
            {words.save}
          </Button>
        </Actions>
      </form>
    </Card>
  );
}

function endpointOf({ messages_url, status_url, connection_url, events_url, extensions }: Webhook): Endpoint {
  return { urls: { messages_url, status_url, connection_url, events_url }, extensions: extensions ?? [] };
}
