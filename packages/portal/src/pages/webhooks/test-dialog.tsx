import {
  EVENT_KINDS,
  EVENTS,
  type EventKind,
  extensionOfKind,
  UNRECORDED_KINDS,
  URL_FIELD_OF_CATEGORY,
  type Webhook,
} from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/index.ts';
import { eventTexts } from '../../texts/events.ts';
import { webhookTexts } from '../../texts/webhooks.ts';
import { FormDialog, Note, SelectField, toast } from '../../ui/index.ts';

/** Sends a sample event of any kind that has an address. */
export function TestDialog({
  webhook,
  onSent,
  onClose,
}: {
  webhook: Webhook;
  onSent: () => void;
  onClose: () => void;
}) {
  const urlOf = (kind: EventKind): string => webhook[URL_FIELD_OF_CATEGORY[EVENTS[kind].category]];
  // Kinds that are not recorded would never appear in the log.
  const choices = EVENT_KINDS.filter((kind) => urlOf(kind) !== '' && !UNRECORDED_KINDS.has(kind));
  const kind = useSignal<EventKind | undefined>(choices[0]);
  const chosen = kind.value;
  const extension = chosen && extensionOfKind(chosen);
  return (
    <FormDialog
      title={webhookTexts.test}
      submit={webhookTexts.test}
      disabled={chosen === undefined}
      lead={<p class="quiet">{webhookTexts.testText}</p>}
      onSubmit={async () => {
        await call('testMyWebhook', { params: { id: webhook.id }, body: chosen ? { kind: chosen } : {} });
        toast(webhookTexts.testSent);
        onSent();
      }}
      onClose={onClose}
    >
      {chosen === undefined ? (
        <Note tone="warning">{webhookTexts.noUrl}</Note>
      ) : (
        <SelectField
          label={webhookTexts.testKind}
          hint={webhookTexts.testTo(urlOf(chosen))}
          value={chosen}
          choices={choices.map((each) => ({ value: each, label: eventTexts[each].name }))}
          onChange={(next) => {
            kind.value = next;
          }}
        />
      )}
      {extension && !webhook.extensions?.includes(extension) && <Note>{webhookTexts.testNotAsked}</Note>}
    </FormDialog>
  );
}
