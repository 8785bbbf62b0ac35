import { SIGNATURE_TOLERANCE_SECONDS, WEBHOOK_HEADERS } from '@parley/contract';
import { panel, panelTabs } from '../components/panel.ts';
import { statusBadge } from '../components/status.ts';
import { table } from '../components/table.ts';
import type { Entry } from '../document.ts';
import { verificationPanels } from '../guides/verification.ts';
import { html } from '../html.ts';
import { duration } from '../prose.ts';

const EXAMPLE_REQUEST = `POST /hooks/messages
Content-Type: application/json
${WEBHOOK_HEADERS.webhookId}: wh_01j9z6m4k2
${WEBHOOK_HEADERS.messageId}: 3EB0C767D71C5A4F1D2B
${WEBHOOK_HEADERS.timestamp}: 1784365200
${WEBHOOK_HEADERS.signature}: t=1784365200,v1=5f0c…`;

export function signatureEntry(): Entry {
  return {
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
      panelTabs('Language', verificationPanels()),
    ],
  };
}
