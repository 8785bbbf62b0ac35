import type { WebhookWithSecret } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useAction } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { words } from '../../texts/common.ts';
import { webhooksTexts, webhookTexts } from '../../texts/webhooks.ts';
import { Actions, Button, Dialog, ErrorNote, formatPhone, Note, SelectField } from '../../ui/index.ts';
import { type Endpoint, EndpointFields, isAboutField, missingIn, NEW_ENDPOINT } from './endpoint-fields.tsx';
import { SecretShown } from './secret-shown.tsx';

/** `onClose` gets the id of the created webhook, if any. */
export function CreateDialog({
  phones,
  onClose,
}: {
  phones: readonly string[];
  onClose: (made: string | undefined) => void;
}) {
  const phone = useSignal(phones[0] ?? '');
  const endpoint = useSignal<Endpoint>(NEW_ENDPOINT);
  const made = useSignal<WebhookWithSecret | undefined>(undefined);
  const wasTried = useSignal(false);
  const isMissing = missingIn(endpoint.value);
  const { run, busy, problem } = useAction(async () => {
    made.value = await call('createMyWebhook', {
      params: { phone: phone.value },
      body: bodyOf(endpoint.value),
    });
  });
  const close = (): void => onClose(made.value?.id);
  if (made.value) {
    return <SecretShown title={webhooksTexts.createdTitle} secret={made.value.secret} onClose={close} />;
  }
  return (
    <Dialog title={webhooksTexts.create} onClose={close}>
      <form
        class="stack"
        // The gateway validates; the browser's messages would differ from its own.
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          wasTried.value = true;
          if (!isMissing) inBackground(run());
        }}
      >
        <SelectField
          label={webhooksTexts.number}
          value={phone.value}
          choices={phones.map((each) => ({ value: each, label: formatPhone(each) }))}
          onChange={(value) => {
            phone.value = value;
          }}
        />
        <EndpointFields
          endpoint={endpoint.value}
          problem={problem.value}
          onChange={(next) => {
            endpoint.value = next;
          }}
        />
        {wasTried.value && isMissing && (
          <div role="alert">
            <Note tone="warning">{webhookTexts.urlMissing}</Note>
          </div>
        )}
        {problem.value && !isAboutField(problem.value) && <ErrorNote problem={problem.value} />}
        <Actions>
          <Button onClick={close}>{words.cancel}</Button>
          <Button type="submit" look="primary" busy={busy.value}>
            {webhooksTexts.create}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

/** Body with the filled fields only. */
function bodyOf({ urls, extensions }: Endpoint) {
  const given = Object.fromEntries(Object.entries(urls).filter(([, url]) => url !== ''));
  return { ...given, ...(extensions.length > 0 && { extensions: [...extensions] }) };
}
