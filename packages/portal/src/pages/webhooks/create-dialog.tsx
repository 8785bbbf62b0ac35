import { EVENT_CATEGORIES, URL_FIELD_OF_CATEGORY, type WebhookWithSecret } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useAction } from '../../api/index.ts';
import { words } from '../../texts/common.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { Actions, Button, Dialog, ErrorNote, formatPhone, SelectField } from '../../ui/index.ts';
import { SecretShown } from './secret-shown.tsx';
import { NO_URLS, UrlFields, type Urls } from './url-fields.tsx';

/** Closes with the id of what was made, if anything was. */
export function CreateDialog({
  phones,
  onClose,
}: {
  phones: readonly string[];
  onClose: (made: string | undefined) => void;
}) {
  const phone = useSignal(phones[0] ?? '');
  const urls = useSignal<Urls>(NO_URLS);
  const made = useSignal<WebhookWithSecret | undefined>(undefined);
  const { run, busy, problem } = useAction(async () => {
    const body = given(urls.value);
    made.value = await call('createMyWebhook', { params: { phone: phone.value }, body });
  });
  const close = (): void => onClose(made.value?.id);
  if (made.value) {
    return <SecretShown title={webhooksTexts.createdTitle} secret={made.value.secret} onClose={close} />;
  }
  return (
    <Dialog title={webhooksTexts.create} onClose={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
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
        <UrlFields
          urls={urls.value}
          onChange={(next) => {
            urls.value = next;
          }}
        />
        {problem.value && <ErrorNote problem={problem.value} />}
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

/** Without those that are empty. */
function given(urls: Urls): Partial<Urls> {
  const fields = EVENT_CATEGORIES.map((category) => URL_FIELD_OF_CATEGORY[category]);
  return Object.fromEntries(
    fields.filter((field) => urls[field] !== '').map((field) => [field, urls[field]]),
  );
}
