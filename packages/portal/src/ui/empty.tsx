import type { ComponentChildren } from 'preact';
import './empty.css';
import { Icon, type IconName } from './icon.tsx';

/** Replaces an empty list: the reason, and the next step. */
export function Empty({
  icon,
  title,
  children,
  action,
  isWholePage = false,
}: {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
  /** Uses the page's main heading. */
  isWholePage?: boolean;
}) {
  const Title = isWholePage ? 'h1' : 'h2';
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} size={28} />
      </span>
      <Title>{title}</Title>
      {children && <p>{children}</p>}
      {action && <div class="row">{action}</div>}
    </div>
  );
}
