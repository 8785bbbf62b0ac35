import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import mark from '../../../gateway/src/surfaces/reference/assets/mark.svg';
import type { PageEntry } from '../pages/page.ts';
import { entrance, may, me } from '../state/visit.ts';
import { shell, words } from '../texts/common.ts';
import { Button, Icon, Note } from '../ui/index.ts';
import { AccountMenu, OperatorMenu } from './account-menu.tsx';
import { EndingNotice } from './ending-notice.tsx';
import { FailingBanner } from './failing-banner.tsx';
import { PaletteKey } from './palette-key.tsx';
import { TermsNotice } from './terms-notice.tsx';
import { VisitNotice } from './visit-notice.tsx';
import './shell.css';

const NAV = 'navigation';

/** Frame of every page: bar, navigation, content. */
export function Shell({
  audience,
  pages,
  children,
}: {
  audience: PageEntry['audience'];
  pages: readonly PageEntry[];
  children: ComponentChildren;
}) {
  const { path } = useLocation();
  useEffect(() => {
    const sheet = document.getElementById(NAV);
    if (sheet?.matches(':popover-open')) sheet.hidePopover();
  }, [path]);
  return (
    <>
      <a class="skip" href="#content">
        {shell.skip}
      </a>
      <header class="bar">
        <span class="bar-menu">
          <Button look="quiet" icon="menu" label={shell.menu} popovertarget={NAV} />
        </span>
        <a class="brand" href="/portal">
          <img src={mark} alt="" width="26" height="26" />
          {words.product}
        </a>
        {audience === 'operator' && <span class="bar-audience">{shell.operatorPages}</span>}
        <span class="bar-go">
          <PaletteKey audience={audience} pages={pages} />
        </span>
        <a class="bar-reference" href="/docs" target="_blank" rel="noreferrer">
          {shell.reference}
        </a>
        {audience === 'owner' ? <AccountMenu /> : <OperatorMenu />}
      </header>
      <nav class="nav" id={NAV} popover="auto" aria-label={shell.navigation}>
        <ul>
          {pages.map(
            ({ path: href, nav }) => nav && <NavItem key={href} href={href} path={path} nav={nav} />,
          )}
          <li class="nav-reference">
            <a href="/docs" target="_blank" rel="noreferrer">
              <Icon name="document" />
              {shell.reference}
            </a>
          </li>
        </ul>
        <Crossing audience={audience} />
      </nav>
      <main class="content" id="content" tabIndex={-1}>
        {audience === 'owner' && <FailingBanner />}
        {audience === 'owner' && <VisitNotice />}
        {audience === 'owner' && <EndingNotice />}
        {audience === 'owner' && <TermsNotice />}
        {audience === 'owner' && !may('build') && !me.value?.visit && (
          <Note icon="info">{shell.lookOnly}</Note>
        )}
        {children}
      </main>
    </>
  );
}

function NavItem({ href, path, nav }: { href: string; path: string; nav: NonNullable<PageEntry['nav']> }) {
  // The address of the operator's first page is a prefix of all others.
  const isHere = path === href || (href !== '/portal/operator' && path.startsWith(`${href}/`));
  return (
    <li>
      <a href={href} aria-current={isHere ? 'page' : undefined}>
        <Icon name={nav.icon} />
        {nav.label}
      </a>
    </li>
  );
}

/** Link between the owner's and the operator's pages, for members who have both. */
function Crossing({ audience }: { audience: PageEntry['audience'] }) {
  if (audience === 'operator') {
    return entrance.value?.signed_in.owner ? (
      <a class="nav-crossing" href="/portal/numbers">
        {shell.ownerPages}
      </a>
    ) : null;
  }
  return entrance.value?.signed_in.operator ? (
    <a class="nav-crossing" href="/portal/operator">
      {shell.operatorPages}
    </a>
  ) : null;
}
