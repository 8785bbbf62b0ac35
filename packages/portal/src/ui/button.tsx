import type { ComponentChildren } from 'preact';
import './button.css';
import { Icon, type IconName } from './icon.tsx';

export type ButtonLook = 'primary' | 'plain' | 'quiet' | 'danger';

interface Look {
  look?: ButtonLook | undefined;
  icon?: IconName | undefined;
  /** Lower, for tables and panels. */
  small?: boolean | undefined;
  children?: ComponentChildren;
}

interface ButtonProps extends Look {
  type?: 'button' | 'submit';
  onClick?: (() => void) | undefined;
  /** Shows progress and ignores clicks. */
  busy?: boolean | undefined;
  disabled?: boolean | undefined;
  /** Accessible name of a button with an icon only. */
  label?: string | undefined;
  popovertarget?: string | undefined;
}

const classOf = ({ look = 'plain', small }: Look): string =>
  `button button-${look}${small ? ' button-small' : ''}`;

export function Button({
  type = 'button',
  onClick,
  busy,
  disabled,
  label,
  popovertarget,
  ...look
}: ButtonProps) {
  return (
    <button
      type={type}
      class={classOf(look)}
      onClick={onClick}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      aria-label={label}
      title={label}
      popovertarget={popovertarget}
    >
      {busy ? <span class="spinner" aria-hidden="true" /> : look.icon && <Icon name={look.icon} />}
      {look.children}
    </button>
  );
}

/** Link that looks like a button. */
export function LinkButton({
  href,
  target,
  ...look
}: Look & { href: string; target?: '_blank' | undefined }) {
  return (
    <a class={classOf(look)} href={href} target={target} rel={target && 'noreferrer'}>
      {look.icon && <Icon name={look.icon} />}
      {look.children}
    </a>
  );
}
