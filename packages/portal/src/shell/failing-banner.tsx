import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { inBackground } from '../kernel/background.ts';
import { everyWhileVisible } from '../kernel/clock.ts';
import { failing, lookForFailing } from '../state/failing.ts';
import { banner } from '../texts/common.ts';
import { formatAgo, Icon } from '../ui/index.ts';

const LOOK_EVERY_MS = 15_000;

/** On every page of an owner while a receiver fails, with the way to the page that says why. */
export function FailingBanner() {
  useEffect(() => {
    inBackground(lookForFailing());
    return everyWhileVisible(LOOK_EVERY_MS, () => inBackground(lookForFailing()));
  }, []);
  const { path } = useLocation();
  const [first, ...others] = failing.value;
  if (!first) return null;
  const [webhook] = first.webhooks;
  const href = webhook ? `/portal/webhooks/${webhook.webhook_id}` : '/portal/webhooks';
  // The page that it leads to says it all.
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
