import type { ComponentChildren } from 'preact';
import './empty.css';
import { Icon, type IconName } from './icon.tsx';

/** Where a list would be: says why there is nothing, and what to do about it. */
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
  /** There is no other heading. */
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
