import { SIGNATURE_TOLERANCE_SECONDS, WEBHOOK_HEADERS } from '@parley/contract';
import { panel, panelTabs } from '../components/panel.ts';
import { statusBadge } from '../components/status.ts';
import { table } from '../components/table.ts';
import type { Entry } from '../document.ts';
import { html } from '../html.ts';
import { duration } from '../prose.ts';

/** Exported for the test that runs it. */
export const VERIFY_IN_JAVASCRIPT = `import { createHmac, timingSafeEqual } from 'node:crypto';

export function isGenuine(rawBody, header, secret) {
  const parts = header.split(',').map((part) => part.split('='));
  const [, t] = parts.find(([name]) => name === 't') ?? [];
  const age = Math.abs(Date.now() / 1000 - Number(t));
  if (!(age <= ${SIGNATURE_TOLERANCE_SECONDS})) return false;

  const expected = createHmac('sha256', secret)
    .update(\`\${t}.\`)
    .update(rawBody)
    .digest();
  return parts
    .filter(([name]) => name === 'v1')
    .map(([, hex]) => Buffer.from(hex, 'hex'))
    .some((given) => given.length === expected.length
      && timingSafeEqual(given, expected));
}
`;

/** Exported for the test that runs it. */
export const VERIFY_IN_PYTHON = `import hashlib, hmac, time

def is_genuine(raw_body: bytes, header: str, secret: str) -> bool:
    parts = [part.split("=", 1) for part in header.split(",")]
    t = next((value for name, value in parts if name == "t"), "0")
    if abs(time.time() - int(t)) > ${SIGNATURE_TOLERANCE_SECONDS}:
        return False

    signed = t.encode() + b"." + raw_body
    key = secret.encode()
    expected = hmac.new(key, signed, hashlib.sha256).hexdigest()
    return any(
        name == "v1" and hmac.compare_digest(value, expected)
        for name, value in parts
    )
`;

const EXAMPLE_REQUEST = `POST /hooks/messages
Content-Type: application/json
${WEBHOOK_HEADERS.webhookId}: wh_01j9z6m4k2
${WEBHOOK_HEADERS.messageId}: 3EB0C767D71C5A4F1D2B
${WEBHOOK_HEADERS.timestamp}: 1784365200
${WEBHOOK_HEADERS.signature}: t=1784365200,v1=5f0c…`;

export const signatureEntry: Entry = {
  id: 'signature',
  title: 'Headers and signature',
  text: html`${table(
    ['Header', 'Meaning'],
    [
      [html`<code>${WEBHOOK_HEADERS.webhookId}</code>`, 'The webhook configuration.'],
      [html`<code>${WEBHOOK_HEADERS.messageId}</code>`, 'The event; the same on every attempt.'],
      [html`<code>${WEBHOOK_HEADERS.timestamp}</code>`, 'Unix time of this attempt, in seconds.'],
      [
        html`<code>${WEBHOOK_HEADERS.signature}</code>`,
        html`<code>t=&lt;unix seconds&gt;,v1=&lt;hex&gt;</code>; two <code>v1</code> while a secret is rotated.`,
      ],
    ],
  )}
<p>Believe an event only after checking its signature:</p>
<ol>
<li>Read <code>t</code> and every <code>v1</code> from <code>${WEBHOOK_HEADERS.signature}</code>.</li>
<li>Compute HMAC-SHA256 with your signing secret over <code>&lt;t&gt;.&lt;raw body&gt;</code>: the bytes as they came, before any parsing.</li>
<li>Compare it with each <code>v1</code> in constant time; one match is enough.</li>
<li>Refuse when <code>t</code> is more than ${duration(SIGNATURE_TOLERANCE_SECONDS)} away from your clock.</li>
<li>Answer ${statusBadge(401)} to whatever fails.</li>
</ol>`,
  samples: [
    panel({ title: 'A delivery', language: 'http', code: EXAMPLE_REQUEST }),
    panelTabs('Language', [
      panel({ title: 'Node.js', language: 'javascript', code: VERIFY_IN_JAVASCRIPT.trimEnd() }),
      panel({ title: 'Python', language: 'python', code: VERIFY_IN_PYTHON.trimEnd() }),
    ]),
  ],
};
