import { type Html, html } from '../html.ts';

/** An HTTP status in the colour of its family: success, the caller's mistake, the server's. */
export function statusBadge(status: number | '5xx'): Html {
  return html`<span class="status status-${familyOf(String(status))}">${status}</span>`;
}

function familyOf(status: string): string {
  if (status.startsWith('2')) return 'ok';
  return status.startsWith('5') ? 'server' : 'caller';
}
