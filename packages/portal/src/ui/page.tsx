import type { ComponentChildren } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { words } from '../texts/common.ts';
import { withoutBreaks } from './format.ts';
import { Icon } from './icon.tsx';
import './page.css';

/** Head of every page; also sets the title of the tab. */
export function PageHead({
  title,
  lead,
  back,
  children,
}: {
  title: string;
  lead?: ComponentChildren;
  back?: { href: string; label: string };
  children?: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${title} · ${words.product}`;
  }, [title]);
  return (
    <header class="page-head">
      <div class="page-title">
        {back && (
          <a class="page-back" href={back.href}>
            <Icon name="back" size={16} />
            {back.label}
          </a>
        )}
        <h1>{withoutBreaks(title)}</h1>
        {lead && <p class="quiet">{lead}</p>}
      </div>
      {children && <div class="row">{children}</div>}
    </header>
  );
}

export function Card({
  title,
  actions,
  flush,
  children,
}: {
  title?: ComponentChildren;
  actions?: ComponentChildren;
  /** No padding, as for a table. */
  flush?: boolean;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class={flush ? 'card card-flush' : 'card'} aria-labelledby={title ? id : undefined}>
      {(title || actions) && (
        <header class="card-head">
          {title && <h2 id={id}>{title}</h2>}
          {actions && <div class="row">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
}

/** Names and values, side by side: `tight` for short figures, `wide` for ids and addresses. */
export function Facts({ fit, children }: { fit?: 'tight' | 'wide'; children: ComponentChildren }) {
  return <dl class={fit ? `facts facts-${fit}` : 'facts'}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
