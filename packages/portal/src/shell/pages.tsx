import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ErrorBoundary, Route, Router, useLocation } from 'preact-iso';
import type { PageEntry } from '../pages/page.ts';
import { Broken, NotFound } from './states.tsx';

const failed = signal<string | undefined>(undefined);

/** Shows the page of the current address. */
export function Pages({ pages }: { pages: readonly PageEntry[] }) {
  const { path, route } = useLocation();
  const home = pages[0]?.path;
  const isHome = path === '/portal' || path === '/';
  useEffect(() => {
    if (isHome && home) route(home, true);
  }, [isHome, home]);
  if (isHome) return null;
  if (failed.value === path) return <Broken />;
  return (
    <ErrorBoundary
      onError={() => {
        failed.value = path;
      }}
    >
      <Router onRouteChange={focusOnContent}>
        {pages.map((page) => (
          <Route key={page.path} path={page.path} component={page.component} />
        ))}
        <Route default component={NotFound} />
      </Router>
    </ErrorBoundary>
  );
}

/** Moves the focus to the top of the new page, for keyboards and screen readers. */
function focusOnContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true });
}
