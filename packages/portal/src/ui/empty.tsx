import type { ComponentChildren } from 'preact';
import './empty.css';
import { Icon, type IconName } from './icon.tsx';

/** Where a list would be: says why there is nothing, and what to do about it. */
export function Empty({
  icon,
  title,
  children,
  action,
}: {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} size={28} />
      </span>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action && <div class="row">{action}</div>}
    </div>
  );
}
