import type { ComponentChildren } from 'preact';
import { ErrorBoundary, LocationProvider, useLocation } from 'preact-iso';
import { EntranceScreen } from './entrance/entrance-screen.tsx';
import { SuspendedScreen } from './entrance/suspended-screen.tsx';
import { TermsScreen } from './entrance/terms-screen.tsx';
import { inBackground } from './kernel/background.ts';
import { pagesFor } from './pages/index.ts';
import { loadPage } from './shell/load-page.tsx';
import { Pages } from './shell/pages.tsx';
import { Shell } from './shell/shell.tsx';
import { Unreachable } from './shell/states.tsx';
import { entrance, loadVisit, may, me, visitProblem } from './state/visit.ts';
import { Toasts } from './ui/index.ts';

export function App() {
  return (
    <LocationProvider scope="/portal">
      <Doors />
      <Toasts />
    </LocationProvider>
  );
}

/** Pages of mailed links; open with or without sign-in. */
const LINK_SCREENS = {
  '/portal/recover': loadPage(() => import('./entrance/recover-screen.tsx')),
  '/portal/verify': loadPage(() => import('./entrance/verify-screen.tsx')),
  '/portal/join': loadPage(() => import('./entrance/join-screen.tsx')),
} as const;

const UnverifiedScreen = loadPage(() => import('./entrance/unverified-screen.tsx'));

/** Shows a page only after sign-in, suspension and terms are settled. The operator signs in separately. */
function Doors() {
  const { path } = useLocation();
  const door = entrance.value;
  const owner = me.value;
  if (!door) return visitProblem.value && <Unreachable retry={() => inBackground(loadVisit())} />;
  const LinkScreen = LINK_SCREENS[path as keyof typeof LINK_SCREENS];
  if (LinkScreen) return onceLoaded(<LinkScreen />);
  if (path.startsWith('/portal/operator')) {
    return door.signed_in.operator ? inShell('operator') : <EntranceScreen who="operator" />;
  }
  if (!door.signed_in.owner || !owner) return <EntranceScreen who="owner" />;
  if (owner.blocked === 'account_suspended') return <SuspendedScreen />;
  if (owner.blocked === 'email_not_verified') return onceLoaded(<UnverifiedScreen />);
  if (owner.blocked === 'tos_not_accepted') return <TermsScreen />;
  return inShell('owner');

  function inShell(audience: 'owner' | 'operator') {
    const pages = pagesFor(audience, { hasSandbox: door?.sandbox === true, may });
    return (
      <Shell audience={audience} pages={pages}>
        <Pages pages={pages} />
      </Shell>
    );
  }
}

function onceLoaded(screen: ComponentChildren) {
  return <ErrorBoundary>{screen}</ErrorBoundary>;
}
