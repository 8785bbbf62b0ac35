import type { Right } from '@parley/contract';
import { loadPage } from '../shell/load-page.tsx';
import { nav } from '../texts/common.ts';
import type { PageEntry } from './page.ts';

/** Same page with and without an open chat. */
const Chats = loadPage(() => import('./chats/index.tsx'));

/** Linked from the account's invoices; also has its former address below a number. */
const Invoice = loadPage(() => import('./billing/invoice.tsx'));

/** All pages in the order of the navigation. The first page of an audience is its start page. */
const PAGES: readonly PageEntry[] = [
  {
    path: '/portal/numbers',
    audience: 'owner',
    nav: { label: nav.numbers, icon: 'phone' },
    component: loadPage(() => import('./numbers/list.tsx')),
  },
  {
    path: '/portal/numbers/:phone',
    audience: 'owner',
    component: loadPage(() => import('./numbers/detail.tsx')),
  },
  ...['/portal/numbers/:phone/chats', '/portal/numbers/:phone/chats/:jid'].map(
    (path): PageEntry => ({ path, audience: 'owner', component: Chats }),
  ),
  {
    path: '/portal/numbers/:phone/invoices/:invoice',
    audience: 'owner',
    component: Invoice,
  },
  {
    path: '/portal/keys',
    audience: 'owner',
    nav: { label: nav.keys, icon: 'key' },
    component: loadPage(() => import('./keys/index.tsx')),
  },
  {
    path: '/portal/webhooks',
    audience: 'owner',
    nav: { label: nav.webhooks, icon: 'webhook' },
    component: loadPage(() => import('./webhooks/list.tsx')),
  },
  {
    path: '/portal/webhooks/:id',
    audience: 'owner',
    component: loadPage(() => import('./webhooks/detail.tsx')),
  },
  {
    path: '/portal/webhooks/:id/deliveries/:delivery',
    audience: 'owner',
    component: loadPage(() => import('./webhooks/delivery/page.tsx')),
  },
  {
    path: '/portal/test-send',
    audience: 'owner',
    needs: 'build',
    nav: { label: nav.testSend, icon: 'send' },
    component: loadPage(() => import('./test-send/index.tsx')),
  },
  {
    path: '/portal/messages',
    audience: 'owner',
    nav: { label: nav.messages, icon: 'inbox' },
    component: loadPage(() => import('./messages/index.tsx')),
  },
  {
    path: '/portal/messages/:message',
    audience: 'owner',
    component: loadPage(() => import('./messages/life.tsx')),
  },
  {
    path: '/portal/activity',
    audience: 'owner',
    nav: { label: nav.activity, icon: 'activity' },
    component: loadPage(() => import('./activity/index.tsx')),
  },
  {
    path: '/portal/activity/:cursor',
    audience: 'owner',
    component: loadPage(() => import('./activity/event.tsx')),
  },
  {
    path: '/portal/statistics',
    audience: 'owner',
    nav: { label: nav.statistics, icon: 'poll' },
    component: loadPage(() => import('./statistics/index.tsx')),
  },
  {
    path: '/portal/requests',
    audience: 'owner',
    nav: { label: nav.requests, icon: 'server' },
    component: loadPage(() => import('./requests/index.tsx')),
  },
  {
    path: '/portal/sandbox',
    audience: 'owner',
    needsSandbox: true,
    needs: 'build',
    nav: { label: nav.sandbox, icon: 'sandbox' },
    component: loadPage(() => import('./sandbox/index.tsx')),
  },
  {
    path: '/portal/billing',
    audience: 'owner',
    nav: { label: nav.billing, icon: 'card' },
    component: loadPage(() => import('./billing/index.tsx')),
  },
  { path: '/portal/billing/:invoice', audience: 'owner', component: Invoice },
  {
    path: '/portal/team',
    audience: 'owner',
    nav: { label: nav.team, icon: 'people' },
    component: loadPage(() => import('./team/index.tsx')),
  },
  {
    path: '/portal/account',
    audience: 'owner',
    needs: 'administer',
    component: loadPage(() => import('./account/index.tsx')),
  },
  {
    path: '/portal/security',
    audience: 'owner',
    component: loadPage(() => import('./security/index.tsx')),
  },
  {
    path: '/portal/operator',
    audience: 'operator',
    nav: { label: nav.overview, icon: 'gauge' },
    component: loadPage(() => import('./operator/overview.tsx')),
  },
  {
    path: '/portal/operator/accounts',
    audience: 'operator',
    nav: { label: nav.accounts, icon: 'people' },
    component: loadPage(() => import('./operator/accounts.tsx')),
  },
  {
    path: '/portal/operator/accounts/:account',
    audience: 'operator',
    component: loadPage(() => import('./operator/account/index.tsx')),
  },
  {
    path: '/portal/operator/numbers',
    audience: 'operator',
    nav: { label: nav.operatorNumbers, icon: 'phone' },
    component: loadPage(() => import('./operator/numbers.tsx')),
  },
  {
    path: '/portal/operator/billing',
    audience: 'operator',
    nav: { label: nav.billing, icon: 'card' },
    component: loadPage(() => import('./operator/billing/index.tsx')),
  },
  {
    path: '/portal/operator/billing/:invoice',
    audience: 'operator',
    component: loadPage(() => import('./operator/billing/invoice.tsx')),
  },
  {
    path: '/portal/operator/workers',
    audience: 'operator',
    nav: { label: nav.workers, icon: 'server' },
    component: loadPage(() => import('./operator/workers.tsx')),
  },
  {
    path: '/portal/operator/dead-letters',
    audience: 'operator',
    nav: { label: nav.deadLetters, icon: 'inbox' },
    component: loadPage(() => import('./operator/dead-letters.tsx')),
  },
  {
    path: '/portal/operator/trouble',
    audience: 'operator',
    nav: { label: nav.trouble, icon: 'warning' },
    component: loadPage(() => import('./operator/trouble/index.tsx')),
  },
  {
    path: '/portal/operator/throughput',
    audience: 'operator',
    nav: { label: nav.throughput, icon: 'activity' },
    component: loadPage(() => import('./operator/throughput.tsx')),
  },
  {
    path: '/portal/operator/terms',
    audience: 'operator',
    nav: { label: nav.terms, icon: 'document' },
    component: loadPage(() => import('./operator/terms.tsx')),
  },
];

export function pagesFor(
  audience: PageEntry['audience'],
  { hasSandbox, may }: { hasSandbox: boolean; may: (right: Right) => boolean },
): readonly PageEntry[] {
  return PAGES.filter(
    ({ audience: whose, needsSandbox, needs }) =>
      whose === audience && (hasSandbox || !needsSandbox) && (!needs || may(needs)),
  );
}
