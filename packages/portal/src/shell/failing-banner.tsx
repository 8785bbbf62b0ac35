import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { inBackground } from '../kernel/background.ts';
import { everyWhileVisible } from '../kernel/clock.ts';
import { failing, loadFailing } from '../state/failing.ts';
import { banner } from '../texts/common.ts';
import { formatAgo, Icon } from '../ui/index.ts';

const POLL_MS = 15_000;

/** Banner on every owner page while a receiver fails, with a link to the reason. */
export function FailingBanner() {
  useEffect(() => {
    inBackground(loadFailing());
    return everyWhileVisible(POLL_MS, () => inBackground(loadFailing()));
  }, []);
  const { path } = useLocation();
  const [first, ...others] = failing.value;
  if (!first) return null;
  const [webhook] = first.webhooks;
  const href = webhook ? `/portal/webhooks/${webhook.webhook_id}` : '/portal/webhooks';
  // Redundant on the page that it links to.
  if (path === href) return null;
  return (
    <aside class="banner" aria-label={banner.label}>
      <Icon name="warning" />
      <p>
        {banner.failing(new URL(first.url).host, formatAgo(first.failing_since_unix), first.waiting)}{' '}
        {others.length > 0 && banner.others(others.length)} <a href={href}>{banner.why}</a>
      </p>
    </aside>
  );
}
