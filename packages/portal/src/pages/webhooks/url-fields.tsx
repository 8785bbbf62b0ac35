import { EVENT_CATEGORIES, URL_FIELD_OF_CATEGORY, type WebhookUrlField } from '@parley/contract';
import { categoryTexts } from '../../texts/labels.ts';
import { TextField } from '../../ui/index.ts';

export type Urls = Readonly<Record<WebhookUrlField, string>>;

export const NO_URLS: Urls = { messages_url: '', status_url: '', connection_url: '', events_url: '' };

/** The four addresses. */
export function UrlFields({ urls, onChange }: { urls: Urls; onChange: (urls: Urls) => void }) {
  return (
    <>
      {EVENT_CATEGORIES.map((category) => {
        const field = URL_FIELD_OF_CATEGORY[category];
        const { name, hint } = categoryTexts[category];
        return (
          <TextField
            key={field}
            label={name}
            hint={hint}
            type="url"
            optional
            placeholder="https://"
            value={urls[field]}
            onInput={(value) => onChange({ ...urls, [field]: value.trim() })}
          />
        );
      })}
    </>
  );
}
