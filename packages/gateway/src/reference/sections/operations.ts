import { type Operation, operations, type Tag } from '@parley/contract';
import { statusBadge } from '../components/status.ts';
import type { Section } from '../document.ts';
import { type Html, html } from '../html.ts';
import { sendEntry } from './messages.ts';
import { operationEntry } from './operation.ts';

/** What opens the section of each tag. */
const LEADS: Record<Tag, Html> = {
  Pairing: html`<p>Link a number to your account. Start with a code or a QR code, then poll until it is paired:</p>
<p class="flow"><code>pending</code> → <code>qr</code> or <code>code</code> → <code>paired</code></p>`,
  Sessions: html`<p>Linked numbers: their state, typing, presence and calls. After a drop the gateway reconnects by itself; a
session that was unlinked on the phone is <code>logged_out</code> and has to be paired again.</p>`,
  Groups: html`<p>Groups that the number is a member of. Whatever changes a group usually needs its admin.</p>`,
  'Contacts and profile': html`<p>People the number knows, their photos, its own About text and its blocklist.</p>`,
  Channels: html`<p>Broadcast channels, which the network calls newsletters. Posting needs an admin of the channel.</p>`,
  Messages: html`<p>A send is queued durably and answered at once. Its life is told by events:</p>
<p class="flow"><code>accepted</code> → <code>sent</code> → <code>delivered</code> → <code>read</code></p>`,
  Webhooks: html`<p>Where the <a href="#events">events</a> of a number go, and what became of them. One configuration per number.</p>`,
  Events: html`<p>The same <a href="#events">payloads</a> as webhooks, for integrators without a public address: fetched instead of
pushed.</p>`,
  'Terms of service': html`<p>Which version awaits acceptance.</p>`,
  Operator: html`<p>For whoever runs the gateway: accounts, keys, numbers, terms and invoices. The token is the setting
<code>PARLEY_OPERATOR_TOKEN</code>; without one this surface answers ${statusBadge(404)}.</p>`,
  Portal: html`<p>Behind the pages of the portal.</p>`,
  Health: html`<p>For load balancers and monitoring. Public, without a key.</p>`,
};

const TITLES: Partial<Record<Tag, string>> = {
  Events: 'Pull and stream',
  Operator: 'Operator API',
};

/** Sections of the given surface, one per tag, in the order of the contract. */
export function operationSections(surfaces: readonly Operation['surface'][], baseUrl: string): Section[] {
  const chosen = Object.values<Operation>(operations).filter(({ surface }) => surfaces.includes(surface));
  return [...Map.groupBy(chosen, ({ tag }) => tag)].map(([tag, tagged]) => ({
    id: sectionId(tag),
    title: TITLES[tag] ?? tag,
    lead: LEADS[tag],
    entries: tagged.map((operation) =>
      operation.id === operations.sendMessage.id ? sendEntry(baseUrl) : operationEntry(operation, baseUrl),
    ),
  }));
}

function sectionId(tag: Tag): string {
  return (TITLES[tag] ?? tag).toLowerCase().replaceAll(' ', '-');
}
