import type { TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { type Operation, operations } from './index.ts';

/** Public bounds of requests; a narrower one would refuse requests that were accepted before. */
const BOUNDS = `
Idempotency-Key 1–255 characters
Last-Event-ID –128 characters
1– fields
account_id 1–128 characters
address –1000 characters
after –128 characters
before 1–128 characters
before –128 characters
buyer.address –1000 characters
buyer.email –200 characters
buyer.name –200 characters
buyer.tax_id –64 characters
caption –1024 characters
channel –2048 characters
code 1–32 characters
connection_url –2048 characters
created_at –128 characters
current_password 1–256 characters
cursor 1–128 characters
cursor –128 characters
daily_new_chats 0–100000
days 1–31
days 1–3650
days 1–90
delivery_id 1–128 characters
description –2048 characters
display_name 1–256 characters
due_days 0–365
edit_message_id 1–128 characters
email 1–256 characters
email –200 characters
email –256 characters
emoji –32 characters
events_url –2048 characters
export_id 1–128 characters
extensions –6 items
file_name –256 characters
gap_max_seconds 0–600
gap_min_seconds 0–600
id 1–128 characters
id –128 characters
id –16384 characters
image_url –2048 characters
interactive_body 1–4096 characters
interactive_buttons 1–3 items
interactive_buttons[].copy_code 1–256 characters
interactive_buttons[].display_text 1–60 characters
interactive_buttons[].id 1–256 characters
interactive_buttons[].sections 1–10 items
interactive_buttons[].sections[].rows 1–10 items
interactive_buttons[].sections[].rows[].description –72 characters
interactive_buttons[].sections[].rows[].id 1–256 characters
interactive_buttons[].sections[].rows[].title 1–60 characters
interactive_buttons[].sections[].title 1–60 characters
interactive_buttons[].url –2048 characters
interactive_footer –60 characters
invitation_id 1–128 characters
invoice_id 1–128 characters
key_id 1–128 characters
latitude -90–90
limit 1–100
limit 1–500
link –2048 characters
link_preview.description –1000 characters
link_preview.title 1–300 characters
link_preview.url –2048 characters
loc_address –256 characters
loc_name –256 characters
longitude -180–180
media_base64 –1048576 characters
media_id 1–128 characters
media_url –2048 characters
member_id 1–128 characters
mentions –1024 items
message_id 1–128 characters
messages_url –2048 characters
mimetype –128 characters
name 1–100 characters
name 1–25 characters
name 1–256 characters
name –200 characters
new_password 10–256 characters
next_number 1–1000000000
nickname –40 characters
note –1000 characters
numbers 1–50 items
numbers[] 1–41 characters
overlap_hours 0–168
participants 1–1024 items
participants –1024 items
partner_limits.per_minute 1–
partner_limits.per_period 1–
password 10–256 characters
password 1–256 characters
path –2048 characters
permissions 1– items
phone –128 characters
picture_url –2048 characters
poll_name 1–255 characters
poll_options 2–12 items
poll_options[] 1–100 characters
poll_selectable_count 0–
prices.free 0–1000000000
prices.max 0–1000000000
prices.partner 0–1000000000
prices.pro 0–1000000000
q 1–200 characters
quarantine_id 1–128 characters
quoted_message_id 1–128 characters
quoted_text –65536 characters
rawId –16384 characters
reacted_message_id 1–128 characters
reaction –32 characters
reason 1–256 characters
reference 1–200 characters
replay_id 1–128 characters
response.authenticatorData –16384 characters
response.clientDataJSON –16384 characters
response.signature –16384 characters
response.userHandle –16384 characters
revoked_message_id 1–128 characters
search –200 characters
secret –128 characters
seller.address –1000 characters
seller.email –200 characters
seller.name –200 characters
seller.tax_id –64 characters
server_id 0–
session_id 1–128 characters
session_id –128 characters
signature 1–64 characters
slot_id 1–128 characters
status –139 characters
status_url –2048 characters
sticker_url –2048 characters
tax_id –64 characters
tax_percent 0–100
text 1–65536 characters
token 1–128 characters
token 1–4096 characters
url –2048 characters
vcard 1–65536 characters
version 1–64 characters
wait_seconds 0–25
warm_up_days 0–365
`;

interface Bounded {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
}

function* boundsIn(schema: Bounded, path: string): Generator<string> {
  const ranges = [
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minimum, schema.maximum, ''),
    range(schema.minItems, schema.maxItems, ' items'),
    range(schema.minProperties, undefined, ' fields'),
  ].filter((each) => each !== undefined);
  if (ranges.length > 0) yield [path, ...ranges].join(' ').trim();
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    yield* boundsIn(field, path === '' ? name : `${path}.${name}`);
  if (schema.items) yield* boundsIn(schema.items, `${path}[]`);
  for (const option of schema.anyOf ?? []) yield* boundsIn(option, path);
}

function range(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  return least === undefined && most === undefined ? undefined : `${least ?? ''}–${most ?? ''}${unit}`;
}

test('keeps the bound of every field of a request', () => {
  const found = Object.values<Operation>(operations).flatMap(({ params, query, headers, body }) =>
    [params, query, headers, body].flatMap((schema) => (schema ? [...boundsIn(schema, '')] : [])),
  );
  expect([...new Set(found)].sort()).toEqual(BOUNDS.trim().split('\n').sort());
});
