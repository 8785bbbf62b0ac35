import { testSendTexts } from '../../texts/test-send.ts';
import { CodePanel } from '../../ui/index.ts';

/** Same message as an API request. */
export function RequestPanel({ body }: { body: object }) {
  return (
    <div class="stack">
      <CodePanel title={testSendTexts.request} code={commandFor(body)} />
      <p class="quiet small">{testSendTexts.requestHint}</p>
    </div>
  );
}

function commandFor(body: object): string {
  const json = JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`);
  return [
    `curl ${location.origin}/v1/messages \\`,
    `  -H "Authorization: Bearer $API_KEY" \\`,
    `  -H "Idempotency-Key: my-first-message" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${json}'`,
  ].join('\n');
}
