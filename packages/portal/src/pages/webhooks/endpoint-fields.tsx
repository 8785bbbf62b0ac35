import {
  EVENT_CATEGORIES,
  EXTENSION_NAMES,
  type Extension,
  URL_FIELD_OF_CATEGORY,
  type WebhookUrlField,
} from '@parley/contract';
import { useSignal } from '@preact/signals';
import type { Problem } from '../../api/index.ts';
import { categoryTexts, extensionNames } from '../../texts/labels.ts';
import { webhookTexts } from '../../texts/webhooks.ts';
import { Button, CheckField, complaintAbout, TextField } from '../../ui/index.ts';

export interface Endpoint {
  readonly urls: Readonly<Record<WebhookUrlField, string>>;
  readonly extensions: readonly Extension[];
}

const FIELDS = EVENT_CATEGORIES.map((category) => URL_FIELD_OF_CATEGORY[category]);
const SPOKEN_OF = EVENT_CATEGORIES.map((category) => [category, URL_FIELD_OF_CATEGORY[category]] as const);

export const NEW_ENDPOINT: Endpoint = {
  urls: { messages_url: '', status_url: '', connection_url: '', events_url: '' },
  extensions: [],
};

/** Whether required input is missing, checked before a request. */
export function missingIn({ urls }: Endpoint): boolean {
  return FIELDS.every((field) => urls[field] === '');
}

/** Whether the refusal is about one of these fields. */
export function isAboutField(problem: Problem | undefined): boolean {
  return FIELDS.some((field) => complaintAbout(field, problem) !== undefined);
}

/** One address with a checkbox per category, or an address per category. */
export function EndpointFields({
  endpoint,
  problem,
  onChange,
}: {
  endpoint: Endpoint;
  problem: Problem | undefined;
  onChange: (endpoint: Endpoint) => void;
}) {
  const { urls, extensions } = endpoint;
  const given = new Set(FIELDS.map((field) => urls[field]).filter((url) => url !== ''));
  const isSplit = useSignal(given.size > 1);
  return (
    <>
      {isSplit.value ? (
        <div class="urls">
          {SPOKEN_OF.map(([category, field]) => (
            <TextField
              key={field}
              label={categoryTexts[category].name}
              hint={categoryTexts[category].hint}
              error={complaintAbout(field, problem)}
              type="url"
              optional
              placeholder="https://"
              value={urls[field]}
              onInput={(value) => onChange({ ...endpoint, urls: { ...urls, [field]: value.trim() } })}
            />
          ))}
        </div>
      ) : (
        <OneAddress endpoint={endpoint} problem={problem} onChange={onChange} />
      )}
      {given.size <= 1 && (
        <span>
          <Button
            look="quiet"
            small
            onClick={() => {
              isSplit.value = !isSplit.value;
            }}
          >
            {isSplit.value ? webhookTexts.oneUrl : webhookTexts.severalUrls}
          </Button>
        </span>
      )}
      <details class="more-events">
        <summary>{webhookTexts.more}</summary>
        <div class="ticks">
          {EXTENSION_NAMES.map((name) => (
            <CheckField
              key={name}
              label={extensionNames[name]}
              checked={extensions.includes(name)}
              onChange={(checked) => {
                const others = extensions.filter((each) => each !== name);
                onChange({ ...endpoint, extensions: checked ? [...others, name] : others });
              }}
            />
          ))}
        </div>
      </details>
    </>
  );
}

/** Categories selected by default: all but `events`, which are too many. */
const OFTEN_WANTED = new Set<string>(['messages', 'status', 'connection']);

function OneAddress({
  endpoint,
  problem,
  onChange,
}: {
  endpoint: Endpoint;
  problem: Problem | undefined;
  onChange: (endpoint: Endpoint) => void;
}) {
  const { urls } = endpoint;
  const url = useSignal(FIELDS.map((field) => urls[field]).find((each) => each !== '') ?? '');
  // Checkboxes keep their state while the address is empty.
  const ticked = useSignal(
    url.value === ''
      ? OFTEN_WANTED
      : new Set<string>(EVENT_CATEGORIES.filter((category) => urls[URL_FIELD_OF_CATEGORY[category]] !== '')),
  );
  function report(nextUrl: string, nextTicked: ReadonlySet<string>): void {
    url.value = nextUrl;
    ticked.value = new Set(nextTicked);
    const next = SPOKEN_OF.map(([category, field]) => [field, nextTicked.has(category) ? nextUrl : '']);
    onChange({ ...endpoint, urls: Object.fromEntries(next) });
  }
  const complaint = FIELDS.map((field) => complaintAbout(field, problem)).find(Boolean);
  return (
    <>
      <TextField
        label={webhookTexts.url}
        hint={webhookTexts.urlHint}
        error={complaint}
        type="url"
        placeholder="https://"
        value={url.value}
        onInput={(value) => report(value.trim(), ticked.value)}
      />
      <fieldset class="ticks">
        <legend class="field-label">{webhookTexts.events}</legend>
        {EVENT_CATEGORIES.map((category) => (
          <CheckField
            key={category}
            label={categoryTexts[category].name}
            hint={categoryTexts[category].hint}
            checked={ticked.value.has(category)}
            onChange={(checked) => {
              const next = new Set(ticked.value);
              if (checked) next.add(category);
              else next.delete(category);
              report(url.value, next);
            }}
          />
        ))}
      </fieldset>
    </>
  );
}
